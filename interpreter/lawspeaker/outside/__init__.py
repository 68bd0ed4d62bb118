"""I/O layer: everything that touches files, time, processes, clusters and GPUs."""
