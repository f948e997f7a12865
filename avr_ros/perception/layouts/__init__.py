"""What the outputs of detectors mean, one file for each layout."""
