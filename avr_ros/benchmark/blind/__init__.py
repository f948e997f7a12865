"""What can be answered without looking: blind baselines, chance, and the test between them."""
