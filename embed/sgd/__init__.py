"""Training by edge sampling: the schedule, the trainer, its kernels, checkpoints."""
