"""Questions, answers and metrics of other benchmarks, read from their own files."""
