"""The single-model agent: one model perceives, acts and answers."""
