"""Problem modules: what they declare, read as syntax trees and never executed (DESIGN.md, sections 5 and 6)."""
