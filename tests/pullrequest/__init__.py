"""Pull requests: what they say, how they are published, how their branch is kept fit to be merged."""
