"""A second witness beside the networks: the same table read by rules alone, tuned by hand."""
