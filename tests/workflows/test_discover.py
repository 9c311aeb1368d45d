"""Whom a name means: grouped by identifiers, decided by thresholds, asked, understood, and others
set aside."""

from dataclasses import replace

from plain_deps import World

from tests.tables import each
from tools.sources.source import Outcome, Source, make_source
from workflows.research.model import Candidate, Clarification, RunConfig, Understanding
from workflows.research.state import ResearchState
from workflows.research.understand.discover import (
    another,
    choose,
    discover,
    exclude_others,
    taken_note,
)
from workflows.research.understand.entities import group
from workflows.research.understand.phase import read_question


def hit(title: str, snippet: str) -> Source:
    return make_source(f"https://site.example/{len(title)}-{len(snippet)}", title, snippet=snippet)


FOOTBALLER = hit("Jo Mercer (footballer)", "Jo Mercer is a footballer of Norland United.")
CHEMIST = hit(
    "Jo Mercer (chemist)", "Jo Mercer is a chemist who studied salts at the University of Norland."
)
CHEMIST_AGAIN = hit(
    "Jo Mercer - staff page", "Jo Mercer is a professor at the University of Norland."
)
CHEMIST_ROLE = hit("Jo Mercer", "Jo Mercer is an analytical chemist from Eastland.")


def test_hits_that_share_an_institution_or_a_role_are_one_person() -> None:
    candidates = group("Jo Mercer", [CHEMIST_AGAIN, CHEMIST_ROLE, FOOTBALLER, CHEMIST])
    assert len(candidates) == 2
    assert candidates[0].confidence == 0.75
    assert "University of Norland" in candidates[0].identifiers
    assert candidates[1].description == "footballer"


def test_a_mention_counts_less_than_a_title() -> None:
    mention = hit("Norland United in the cup", "Their keeper Jo Mercer is a footballer of 30.")
    candidates = group("Jo Mercer", [CHEMIST_ROLE, mention])
    assert [candidate.confidence for candidate in candidates] == [0.8, 0.2]


def test_the_qualifier_of_the_question_decides() -> None:
    candidates = group("Jo Mercer", [FOOTBALLER, CHEMIST], ["norland", "university"])
    assert candidates[0].confidence == 0.5, "both name Norland"
    candidates = group("Jo Mercer", [FOOTBALLER, CHEMIST], ["university"])
    assert (candidates[0].description, candidates[0].confidence) == ("chemist", 0.9)


def test_the_order_of_hits_changes_nothing() -> None:
    hits = [FOOTBALLER, CHEMIST, CHEMIST_AGAIN, CHEMIST_ROLE]
    first, second = group("Jo Mercer", hits), group("Jo Mercer", hits[::-1])
    assert [(c.description, c.confidence) for c in first] == [
        (c.description, c.confidence) for c in second
    ]


def test_a_film_of_the_name_is_not_the_person_asked_for() -> None:
    film = hit("Jo Mercer (film)", "Jo Mercer is a 1998 drama film about a chemist.")
    album = hit("Jo Mercer", "Jo Mercer is the second studio album by a rock band.")
    candidates = group("Jo Mercer", [film, album, CHEMIST], works=False)
    assert [candidate.description for candidate in candidates] == ["chemist"]
    assert group("Jo Mercer", [film, album], works=False) == ()
    assert "film" in {candidate.description for candidate in group("Jo Mercer", [film, CHEMIST])}


def test_a_text_about_something_else_says_nothing_of_the_person_but_what_it_says_of_the_name() -> (
    None
):
    story = hit(
        "Street of rain",
        "A drama set in Washington, DC, directed by Lin Aker, with Jo Mercer and others.",
    )
    other = hit("Norland United", "Lin Aker is a footballer of the club. Jo Mercer watched it.")
    assert group("Jo Mercer", [story, other]) == ()


def test_a_list_of_somebodys_films_is_no_second_person() -> None:
    films = hit("Jo Mercer filmography", "Jo Mercer is an actor and appeared in films since 1980.")
    assert [candidate.description for candidate in group("Jo Mercer", [CHEMIST, films])] == [
        "chemist"
    ]


def test_a_profession_is_told_before_the_place_of_work() -> None:
    doctor = hit("Lena Falk, cardiologist", "Lena Falk is a cardiologist at Uppsala University.")
    assert [candidate.description for candidate in group("Lena Falk", [doctor])] == [
        "cardiologist, Uppsala University"
    ]


TWO = (
    Candidate("Jo Mercer", "footballer", ("footballer", "Norland United")),
    Candidate("Jo Mercer", "chemist", ("chemist", "MIT", "University of Norland")),
)


@each(
    ("answer", "chosen"),
    [
        ("2", 1), ("#1", 0), ("no. 2", 1), ("the second one", 1), ("first", 0), ("yes", 0),
        ("Yes, the chemist", 1),
        ("the one at MIT", 1), ("no, the footballer", 0), ("CHEMISTS", 1), ("the chemist", 1),
        ("ja", 0),
        ("7", None), ("0", None), ("no", None), ("none of these", None), ("a plumber", None),
        ("", None),
        ("Norland", None), ("²", None),
    ],
)  # fmt: skip
def test_answers_are_understood(answer: str, chosen: int | None) -> None:
    assert choose(answer, TWO) == (None if chosen is None else TWO[chosen])


class Web:
    """A web client that answers every search with the given hits; the last answer is repeated."""

    def __init__(self, *answers: list[Source]) -> None:
        self._answers, self.queries = list(answers), list[str]()

    def search(self, client: str, query: str, limit: int) -> Outcome:
        self.queries.append(query)
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        return Outcome(client, query, tuple(answer))

    def ask(self, question: str = "Who is Jo Mercer?", clarify: bool = True) -> ResearchState:
        state = ResearchState(
            question, understanding=read_question(question), config=RunConfig(clarify=clarify)
        )
        return discover(state, replace(World({}).deps(), search=self.search))


def test_one_clear_person_is_taken() -> None:
    web = Web([CHEMIST, CHEMIST_AGAIN])
    read = web.ask().understanding
    assert (read.entity, read.clarification, len(web.queries)) == ("Jo Mercer (chemist)", None, 1)


def test_several_alike_are_asked_about_and_a_likely_one_is_taken_with_a_note() -> None:
    read = Web([CHEMIST, FOOTBALLER]).ask().understanding
    assert read.clarification is not None and len(read.clarification.choices) == 2
    read = Web([CHEMIST, CHEMIST_AGAIN, CHEMIST_ROLE, FOOTBALLER]).ask().understanding
    assert read.clarification is None and read.entity == "Jo Mercer (chemist)"
    assert "footballer" in taken_note(read)


def test_without_asking_the_best_is_taken_and_the_report_says_so() -> None:
    read = Web([CHEMIST, FOOTBALLER]).ask(clarify=False).understanding
    assert read.entity and read.clarification is None
    assert "without asking" in taken_note(read)


def test_one_that_is_not_sure_is_searched_for_once_more_then_asked_about() -> None:
    unsure = [hit("A list of players", f"Jo Mercer is a footballer of team {i}.") for i in range(1)]
    others = [hit("Jo Mercer", "A page about Jo Mercer.") for _ in range(1)]
    web = Web([*unsure, *others], [*unsure, *others])
    read = web.ask().understanding
    assert len(web.queries) == 4 and all('"Jo Mercer"' in query for query in web.queries[1:])
    assert read.clarification is not None and "Yes, no" in read.clarification.question
    web = Web([*unsure, *others], [FOOTBALLER])
    assert web.ask().understanding.entity == "Jo Mercer (footballer)"


def test_nobody_found_leaves_the_name_as_typed() -> None:
    read = Web([]).ask().understanding
    assert (read.candidates, read.entity, read.clarification) == ((), None, None)


@each(
    "question",
    ["who is the CEO of Nvidia", "Who founded it?", "What is entropy?", "which scientist"],
)
def test_what_is_not_a_name_is_not_looked_up(question: str) -> None:
    web = Web([CHEMIST])
    web.ask(question)
    assert web.queries == []


def test_answered_with_nobody_the_name_stays_as_typed() -> None:
    read = replace(
        read_question("Who is Jo Mercer?"),
        candidates=TWO,
        clarification=Clarification("?", (), "no"),
    )
    state = discover(ResearchState("q", understanding=read), World({}).deps())
    assert state.understanding.entity is None


def test_free_text_that_names_no_candidate_joins_the_anchor() -> None:
    read = replace(
        read_question("Who is Jo Mercer?"),
        candidates=TWO,
        clarification=Clarification("?", (), "the plumber"),
    )
    state = discover(ResearchState("q", understanding=read), World({}).deps())
    assert state.understanding.entity == "Jo Mercer (the plumber)"
    assert "plumber" in state.understanding.anchor_terms


def test_a_number_beyond_the_choices_is_asked_about_again() -> None:
    state = Web([CHEMIST, FOOTBALLER]).ask()
    for number in ("7", "9"):
        question = state.understanding.clarification
        assert question is not None
        understanding = replace(state.understanding, clarification=replace(question, answer=number))
        state = discover(replace(state, understanding=understanding), World({}).deps())
        again = state.understanding.clarification
        assert state.understanding.entity is None and again is not None and again.answer is None
        assert (
            again.question
            == f"There is no choice {number}. Several are called Jo Mercer. Which one do you mean?"
        )


def test_what_was_not_asked_is_said() -> None:
    read = Understanding(
        "person", "Jo Mercer", candidates=tuple(replace(c, confidence=0.5) for c in TWO)
    )
    noted = taken_note(replace(read, entity="Jo Mercer (chemist)"))
    assert (
        noted
        == "Taken as: Jo Mercer (chemist), the likeliest meaning, without asking; others of this "
        "name: footballer."
    )
    state = replace(read, entity="Jo Mercer (chemist)", clarification=Clarification("?", (), "2"))
    assert taken_note(state) == "Taken as: Jo Mercer (chemist)."
    assert taken_note(read) == ""


def test_sources_about_another_of_the_name_are_set_aside_with_the_reason() -> None:
    read = Understanding("person", "Jo Mercer", candidates=TWO, entity="Jo Mercer (chemist)")
    assert (
        another(FOOTBALLER, read)
        == "About another Jo Mercer (footballer), not Jo Mercer (chemist)."
    )
    assert another(CHEMIST, read) is None
    assert another(CHEMIST_AGAIN, read) is None
    assert another(hit("A history of salts", "Jo Mercer is a footballer?"), read) is None, (
        "the title names nobody"
    )
    assert another(FOOTBALLER, replace(read, entity=None)) is None
    assert another(FOOTBALLER, replace(read, query_type="organisation")) is None


def test_a_document_is_set_aside_only_where_its_title_says_that_it_is_about_the_other() -> None:
    read = Understanding("person", "Jo Mercer", candidates=TWO, entity="Jo Mercer (chemist)")
    document = replace(FOOTBALLER, source_type="local")
    assert (
        another(document, read) == "About another Jo Mercer (footballer), not Jo Mercer (chemist)."
    )
    assert another(replace(document, title="Jo Mercer, a life"), read) is None
    assert another(replace(document, title="Jo Mercer, footballer and chemist"), read) is None
    assert another(document, replace(read, entity="Jo Mercer (the one from Eastland)")) is None
    state = ResearchState("q", understanding=read, sources=(document,))
    assert exclude_others(state, World({}).deps()).sources[0].rejected


def test_set_aside_sources_stay_listed() -> None:
    read = Understanding("person", "Jo Mercer", candidates=TWO, entity="Jo Mercer (chemist)")
    world = World({})
    state = exclude_others(
        ResearchState("q", understanding=read, sources=(FOOTBALLER, CHEMIST)), world.deps()
    )
    assert [bool(source.rejected) for source in state.sources] == [True, False]
    assert len(world.events) == 1


@each(
    ("kinds", "setting", "expected"),
    [
        (("academic", "web", "local"), False, {"wikipedia"}),
        (("academic", "local"), False, set()),
        (("academic", "local"), True, {"local"}),
        (("local",), False, {"local"}),
    ],
)
def test_documents_are_looked_into_for_a_name_only_where_what_they_say_stays_here_or_may_go(
    kinds: tuple[str, ...], setting: bool, expected: set[str]
) -> None:
    world = World({})
    deps = world.deps(local_terms_in_queries=setting)
    deps = replace(deps, clients=tuple(client for client in deps.clients if client.kind in kinds))
    question = "Who is Jo Mercer?"
    discover(ResearchState(question, understanding=read_question(question)), deps)
    assert {client for client, _ in world.searches} == expected
