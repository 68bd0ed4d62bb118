"""The edges of the disk, the processor and the cluster: where files, time and processes are."""
