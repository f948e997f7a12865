"""The avr command; each subcommand is a file of its own."""
