"""The seven question families, a file each."""
