"""Hardware: law: knows no game and no other folder; simulated at the lowest honest seam."""
