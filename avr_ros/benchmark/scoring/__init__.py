"""Scoring of predictions against keys and ledgers, and the tables made of the scores."""
