"""Training of the perception model that ships with the package. Needs the extra ``training``."""
