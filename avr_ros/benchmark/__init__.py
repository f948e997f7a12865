"""The benchmark: question families, validation, question files, and scoring."""
