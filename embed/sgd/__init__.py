"""Training by sampled edges: the schedule, the trainer, its kernels, checkpoints."""
