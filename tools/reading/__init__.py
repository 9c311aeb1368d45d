"""Reading: does a passage answer a question, and with which words?"""
