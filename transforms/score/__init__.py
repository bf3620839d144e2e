"""Results of generated kernels, held against baselines: what was scored, how sure it is, and what decides it."""
