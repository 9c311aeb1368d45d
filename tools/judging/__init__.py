"""Judging: does a passage support a claim, contradict it, or neither?"""
