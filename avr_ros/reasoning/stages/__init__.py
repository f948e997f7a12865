"""The stages: for each its inputs, its reply and how it is asked, one file a stage."""
