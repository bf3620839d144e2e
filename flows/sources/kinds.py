"""What a person may write as a source."""

KINDS = "sample, github:OWNER/REPO[@ref], git:PATH[@ref], dir:PATH"

UPSTREAM = "github:ScalingIntelligence/KernelBench"
"""What is ingested where nothing is named."""
