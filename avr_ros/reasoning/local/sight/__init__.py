"""What the local model makes of pictures: who is who, who is meant, and what must be seen next."""
