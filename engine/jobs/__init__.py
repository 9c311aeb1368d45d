"""Durable background jobs: the queue, who owns a job, its progress and its checkpoints."""
