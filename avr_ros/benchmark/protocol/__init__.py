"""What an agent may observe: legal views, budgets, episodes and the ledger."""
