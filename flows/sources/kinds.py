"""What a person may write as a source."""

KINDS = "sample, git:PATH[@ref], dir:PATH"
