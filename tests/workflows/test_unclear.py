"""What is no question is asked back; what can be searched never is."""

from tests.tables import each
from workflows.research.understand.unclear import is_unclear


@each(
    "text",
    ["?", "a", "e", "C", "...", "the", "what?", "Why?", "yes", "who is it?", "¿Qué?", "Was?",
     "Should I use it?",
        "Compare these reports", "List the documents", "Which reports mention examples?",
        "Please answer my question",
        "asdf", "ls", "ls -la",
     "cd ..", "rm -rf /tmp/x", "How do I do this ?", "\u202e", "💡"],
)  # fmt: skip
def test_signs_words_of_asking_keys_and_shell_lines_are_no_questions(text: str) -> None:
    assert is_unclear(text)


@each(
    "text",
    ["AI", "5G", "42", "睡眠", "qwerty", "UIO", "HJK", "photosynthesis", "What is C?", "Vitamin D",
        "summarise",
     "What was decided?", "What do the documents say?", "where do they differ?", "Worum geht es?",
     "grep vs awk", "rm options explained"],
)  # fmt: skip
def test_short_subjects_and_requests_about_the_documents_are_questions(text: str) -> None:
    assert not is_unclear(text)
