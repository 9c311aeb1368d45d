"""Different answers of one name: told apart, never counted for each other, each with its weight."""

import pytest

from benchmarks import contested
from benchmarks.contested import Asked
from tools.trust.answers import answers, speaks_of, wanted
from workflows.research.senses import Answers, find_answers, subject_of, thing_of
from workflows.research.state import ResearchState
from workflows.research.understand import read_question

UTAH = (
    "Cove Fort (Utah) Cove Fort is a fort and historical site located in Millard County, Utah. "
    "Ira Hinckley and local workmen built the fort of volcanic rock in 1867. It is open to visitors in summer."
)
CORK = (
    "Cove Fort (County Cork) Cove Fort is a small bastioned land battery to the east of Cobh. "
    "Cove Fort was built as a coastal defence fortification in 1743 to protect the harbour of Cork."
)
WRONG = UTAH.replace("1867", "1855")


def ask(question: str, *texts: tuple[str, str]) -> ResearchState:
    return contested.research(Asked(question, texts))


def test_two_forts_of_one_name_are_told_apart_and_contradict_each_other_in_nothing() -> None:
    state = ask("When was Cove Fort built?", (UTAH, "1867"), (CORK, "1743"))
    assert {sense.thing for sense in state.senses} == {"Cove Fort (Utah)", "Cove Fort (County Cork)"}
    assert not [one for one in state.contradictions if one.nature == "direct"]
    assert state.report is not None
    said = [" ".join(s.text for s in part.sentences) for part in state.report.senses]
    assert len(said) == 2


def test_a_wrong_copy_is_another_answer_with_its_own_weight_and_supports_nothing() -> None:
    right = UTAH.replace("It is open", "Visitors pay no fee. It is open")
    state = ask("When was Cove Fort built?", (UTAH, "1867"), (right, "1867"), (WRONG, "1855"))
    assert len(state.senses) == 2
    assert [len(sense.source_ids) for sense in state.senses] == [2, 1]
    wrong = next(s.source_id for s in state.sources if s.url.endswith("/2"))
    for claim in state.claims:
        if "1867" in claim.text:
            assert wrong not in claim.supporting_sources


def test_bands_of_one_album_title_are_not_merged() -> None:
    texts = [
        (f"Interiors ({band} album) Interiors is the second studio album by the American rock band {band}.", band)
        for band in ("Brad", "Nirvana")
    ]
    state = ask('Who is the band associated with the album "Interiors"?', *texts)
    assert len(state.senses) == 2
    assert all(len(claim.supporting_sources) == 1 for claim in state.claims if "Interiors is the" in claim.text)


@pytest.mark.parametrize("written", ["1867", "in May 1867", "on 4 May 1867", "on May 4, 1867", "on 4/5/1867"])
def test_one_date_written_otherwise_is_no_other_answer(written: str) -> None:
    first = UTAH.replace("in 1867", "on May 4, 1867")
    again = UTAH.replace("in 1867", written).replace("local workmen", "many local men")
    assert ask("When was Cove Fort built?", (first, "a"), (again, "a")).senses == ()


def test_a_birth_is_not_taken_for_a_death() -> None:
    first = "Ada Miller (3 September 1717 – 17 July 1793) was a politician of Norland."
    again = "Ada Miller, the politician, was born on 3 September 1717 in Norland and wrote much."
    for question in ("What is the birth date of Ada Miller?", "When was Ada Miller born?"):
        assert ask(question, (first, "a"), (again, "a")).senses == ()


def test_a_sentence_that_does_not_speak_of_the_subject_makes_no_answer_that_is_sure() -> None:
    question, subject = "Where is Interstate 235 located?", "Interstate 235"
    asked = wanted(question, subject)
    assert asked is not None
    for text, sure in (("Interstate 235 lies in Iowa.", True), ("Drivers remain in Madison County.", False)):
        found = answers(asked, text, [(0, len(text))])
        assert [speaks_of(asked, one) for one in found] in ([sure], [] if not sure else [sure])


def test_two_media_of_one_title_are_two_answers() -> None:
    play = "Green Pastures (play) Green Pastures is a play written in 1930 by Marc Connelly for the stage."
    film = "Green Pastures (film) Green Pastures is an American film of 1936 that shows stories of the Bible."
    assert len(ask('What is the medium of "Green Pastures"?', (play, "play"), (film, "film")).senses) == 2


def test_one_answer_is_no_sense() -> None:
    again = UTAH.replace("local workmen", "many local men")
    assert ask("When was Cove Fort built?", (UTAH, "1867"), (again, "1867")).senses == ()


@pytest.mark.parametrize(
    "question",
    ["Do forts last?", "How does a fort work?", "Forts vs castles", "What is a fort?", "effects of forts", ""],
)
def test_a_question_without_a_short_answer_has_no_senses(question: str) -> None:
    assert ask(question, (UTAH, "a"), (CORK, "b")).senses == ()


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("When was Cove Fort built?", "date"),
        ("What is the population of Broken Bow?", "number"),
        ("Who directed the film Baby Doll?", "name"),
        ("What sport does Cameron Murray play?", "kind"),
        ("What are the effects of Brexit?", None),
    ],
)
def test_what_kind_of_answer_is_wanted(question: str, kind: str | None) -> None:
    state = ResearchState(question, understanding=read_question(question))
    asked = wanted(question, subject_of(state))
    assert (asked.kind if asked else None) == kind


def test_who_somebody_is_has_senses_only_where_sources_tell_their_own_from_others() -> None:
    chemist = "Jo Mercer (chemist) Jo Mercer was a chemist who studied salts at the Norland Institute for years."
    keeper = "Jo Mercer (footballer) Jo Mercer was a footballer who kept the goal of Norland United for years."
    plain = "Jo Mercer was a teacher in the village of Eastland and wrote three books about its old school."
    state = ask("Who was Jo Mercer?", (chemist, "a"), (keeper, "b"))
    assert sorted(sense.thing for sense in state.senses) == ["Jo Mercer (chemist)", "Jo Mercer (footballer)"]
    assert ask("Who was Jo Mercer?", (chemist, "a"), (plain, "b")).senses == ()


@pytest.mark.parametrize(
    "question", ["what is Greta Thunberg known for", "What happened at Chernobyl?", "What does X do?"]
)
def test_open_questions_about_a_name_want_no_short_answer(question: str) -> None:
    assert wanted(question, "Greta Thunberg") is None


def test_how_a_source_names_its_subject() -> None:
    assert thing_of("Cove Fort", "", UTAH) == "Cove Fort (Utah)"
    assert thing_of("Screven", "Screven, Georgia", "") == "Screven, Georgia"
    assert thing_of("Cove Fort", "A page", "Something else") == ""


def test_texts_that_answer_nothing_change_nothing() -> None:
    deps = contested._deps({})
    state = ResearchState("When was X built?", understanding=read_question("When was X built?"))
    assert find_answers(state, deps) == (state, Answers())


def test_contested_scores_a_report_by_its_sentences() -> None:
    asked = Asked("When was Cove Fort built?", ((UTAH, "1867"), (CORK, "1743")))
    assert contested.judge(asked, contested.research(asked)).score == 1.0
    assert contested.states("built in 1867.", "1867") and not contested.states("built in 18670", "1867")


def test_three_things_compared_have_a_column_each() -> None:
    texts = [
        ("Batteries cost 90 euro per kilowatt hour in Norland.", ""),
        ("The price of hydrogen tanks was 240 euro for each unit bought by the northern city of Eastport.", ""),
        ("Hydropower is the cheapest to build, at 40 euro, where a valley and a river are near each other.", ""),
    ]
    state = ask("Batteries vs Hydrogen vs Hydropower", *texts)
    assert state.understanding.subjects == ("Batteries", "Hydrogen", "Hydropower")
    assert state.report is not None
    assert [len(table.columns) for table in state.report.tables] == [4]
    assert not [one for one in state.contradictions if one.nature == "direct"]
    assert all(question.source_types for question in state.plan.questions if question.perspective is None)


def test_a_relative_clause_is_no_other_person_of_the_name() -> None:
    assert thing_of("Jo Mercer", "The Rain", "The Rain is a film by Jo Mercer, who co-wrote it with Lin Aker.") == ""
    assert thing_of("Jo Mercer", "The Rain", "The Rain is a film by Jo Mercer, from a novel of that name.") == ""
    assert thing_of("Screven", "Screven, Georgia", "") == "Screven, Georgia"


def test_menus_and_tables_of_a_page_answer_nothing() -> None:
    menu = "Sports Home | Football | Basketball | Tennis | Golf | Log in | Privacy policy. Jo Mercer Rugby » 12."
    prose = "Jo Mercer is a former footballer who played for the club of Norland for nine years."
    state = ask("What sport is Jo Mercer associated with?", (prose, "football"), (menu, ""))
    assert not [claim for claim in state.claims if "Privacy" in claim.text]


def test_a_text_that_never_names_the_subject_makes_no_second_answer_that_is_sure() -> None:
    prose = "Jo Mercer is a former footballer. Mercer played football for Norland for nine years."
    other = "Lin Aker is a legend of the sport of basketball. He played basketball in the league for years."
    state = ask("What sport is Jo Mercer associated with?", (prose, "football"), (other, ""))
    assert sum(one.named for one in state.senses) < 2
    told = [s.text for part in (state.report.senses if state.report else ()) for s in part.sentences]
    assert state.senses and any("does not name what was asked about" in text for text in told)


BORDERS = (
    "Alder Township Alder Township is a township in Birch County, Norland. It lies in the north of Birch County.",
    "Ash Township Ash Township is located in Cedar County, Norland, and shares a border with Elm County to its south.",
)


def test_what_texts_say_of_a_thing_that_is_only_described_is_no_answer() -> None:
    """Birch County, where the township lies, is a step to the county asked for, and no rival of Elm County."""
    question = "What county shares a border with the county where Alder Township is located?"
    assert ask(question, *((text, "") for text in BORDERS)).senses == ()


@pytest.mark.parametrize(
    ("question", "direct"),
    [
        ("What is the population of the state that Alder Township belongs to?", False),
        ("When was the singer born who is known for her voice in Alder Township?", False),
        ("In what city is the club whose captain was Lin Aker?", False),
        ("Which singer is older, Lin Aker or Jo Mercer?", False),
        ("In which county is Alder Township located?", True),
        ("Alder Township is located in which county?", True),
        ('Who wrote "The House that Jack built"?', True),
        ("When was Alder Township founded or settled?", True),
    ],
)
def test_a_question_names_its_subject_or_describes_it(question: str, direct: bool) -> None:
    asked = wanted(question, subject_of(ResearchState(question, understanding=read_question(question))))
    assert asked is not None and asked.direct is direct


def test_a_sentence_that_says_little_of_what_is_asked_is_no_second_answer() -> None:
    """Who recorded Decade, and who else has siblings, is not who the sibling of its performer is."""
    album = "Decade is an album of 1977 by Lin Aker. It was performed by Lin Aker on a tour of Norland."
    other = "The Mercer family is a family of singers from Norland. All nine siblings performed for the king."
    state = ask("Who is the sibling of the drummer and second performer of Decade?", (album, ""), (other, ""))
    assert state.senses == ()
