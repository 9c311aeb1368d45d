"""The little world the stand-in services tell of: sixty works on caffeine and sleep that agree,
contradict and repeat.

Everything is made from tables by the number of the work: the same number always gives the same
words.
"""

QUESTION = "How does caffeine affect sleep?"
WORKS = 60

# Statements that several works make, in more than one wording. 0 and 1 contradict each other, as do
# 6 and 7.
FACTS = (
    (
        "Caffeine taken six hours before bedtime reduced total sleep "
        "time by 41 minutes in healthy adults.",
        "In healthy adults, total sleep time fell by 41 minutes when caffeine was taken six hours "
        "before bedtime.",
    ),
    (
        "Caffeine taken six hours before bedtime reduced total sleep "
        "time by 12 minutes in healthy adults.",
        "Total sleep time fell by only 12 minutes in healthy adults who took caffeine six hours "
        "before bedtime.",
    ),
    (
        "Caffeine blocks adenosine receptors in the brain and "
        "thereby delays the feeling of sleepiness.",
        "By blocking adenosine receptors in the brain, caffeine delays the feeling of sleepiness.",
    ),
    (
        "The half-life of caffeine in healthy adults is about five hours.",
        "Healthy adults eliminate half of the caffeine they drink in about five hours.",
    ),
    (
        "Smoking nearly doubles the rate at which the liver breaks down caffeine.",
        "In smokers the liver breaks down caffeine at nearly twice the usual rate.",
    ),
    (
        "A dose of 400 mg of caffeine per day is considered safe for healthy adults.",
        "For healthy adults, up to 400 mg of caffeine per day is considered safe.",
    ),
    (
        "Regular coffee drinkers become tolerant to the effect "
        "of caffeine on sleep within two weeks.",
        "Within two weeks, people who drink coffee daily become "
        "tolerant to its effect on their sleep.",
    ),
    (
        "Regular coffee drinkers do not become tolerant to the effect of caffeine on sleep.",
        "The effect of caffeine on sleep does not weaken in people who drink coffee every day.",
    ),
    (
        "Caffeine reduced the share of deep sleep by 11 percent "
        "in a laboratory study of 20 young men.",
        "In a laboratory study of 20 young men, the share of deep "
        "sleep was 11 percent lower after caffeine.",
    ),
    (
        "Older adults are more sensitive to the sleep-disturbing "
        "effect of caffeine than younger adults.",
        "The sleep of older adults is disturbed more by caffeine than the sleep of younger adults.",
    ),
    (
        "A cup of filter coffee contains about 95 mg of caffeine, a cup of black tea about 47 mg.",
        "Filter coffee holds about 95 mg of caffeine per cup and black tea about 47 mg.",
    ),
    (
        "Variants of the gene CYP1A2 explain a large part of the differences in caffeine "
        "metabolism between people.",
        "Differences in how fast people break down caffeine are "
        "explained in large part by the gene CYP1A2.",
    ),
    (
        "Sleep onset was delayed by nine minutes on average after "
        "an evening dose of 200 mg of caffeine.",
        "After 200 mg of caffeine in the evening, people fell "
        "asleep nine minutes later on average.",
    ),
    (
        "Caffeine improved reaction times during night shifts by 10 percent compared with placebo.",
        "Compared with placebo, reaction times in night shifts "
        "were 10 percent better with caffeine.",
    ),
    (
        "Withdrawal after daily use causes headache in about half of the people who stop suddenly.",
        "About half of the people who suddenly stop their daily caffeine get a headache.",
    ),
)

_SUBJECTS = (
    "volunteers;students;night workers;nurses;athletes;parents of infants;drivers;retired people"
).split(";")
_SETTINGS = (
    "in the laboratory;at home;over four weeks;during winter;after long flights;in two cities"
).split(";")
_ACTIONS = (
    "kept a diary of their evenings and mornings;wore a sensor on the wrist;rated their "
    "alertness every hour;were interviewed by trained staff;drank only what the protocol "
    "allowed;slept in rooms without windows"
).split(";")
_REASONS = (
    "because self-reports alone are known to mislead;so that habits could be told from chance;"
    "which made comparisons between groups possible;as earlier work had recommended;"
    "although not everybody finished the protocol;and the records were read by two people"
).split(";")
_KINDS = (
    "A trial;A survey;A review;Notes;A cohort study;A meta-analysis;A guide;New findings;A "
    "primer;An overview"
).split(";")
_THEMES = (
    "caffeine and sleep;evening coffee and sleep quality;caffeine, adenosine and the tired "
    "brain;coffee in old age;"
    "night work and caffeine;the genetics of coffee drinking;caffeine doses and deep "
    "sleep;tolerance to caffeine"
).split(";")
_FAMILIES = (
    "Adler Berg Castro Dubois Eriksen Fischer Garcia Hoffmann Ivanova Jansen Keller Lindqvist"
).split()
_GIVEN = "Anna Bruno Clara David Elena Felix Greta Hugo Irene Jonas Karin Lukas".split()
_VENUES = (
    "Journal of Sleep Research;Sleep Medicine "
    "Reviews;Nutrients;Annals of Rest;Clinical Pharmacology"
).split(";")


def title(number: int) -> str:
    kind, theme = _KINDS[number % len(_KINDS)], _THEMES[(number * 3) % len(_THEMES)]
    return f"{kind}: {theme} ({number})"


def authors(number: int) -> list[tuple[str, str]]:
    """(given, family) of one to three people; the first differs from work to work."""
    people = []
    for place in range(1 + number % 3):
        n = number * 5 + place * 7
        people.append((_GIVEN[n % 12], _FAMILIES[(n // 12 + number + place) % 12]))
    return people


def venue(number: int) -> str:
    return _VENUES[number % len(_VENUES)]


def published(number: int) -> str:
    return f"{2008 + number % 17}-{1 + number % 12:02d}-{1 + (number * 7) % 28:02d}"


def doi(number: int) -> str:
    return f"10.5555/standin.{number}"


def facts(number: int) -> list[str]:
    """The statements of one work, in its wording."""
    chosen = dict.fromkeys((number * 2 + step * step * 3) % len(FACTS) for step in range(4))
    return [FACTS[index][(number + index) % 2] for index in chosen]


def abstract(number: int) -> str:
    return f"We looked at {_THEMES[(number * 3) % len(_THEMES)]}. " + " ".join(facts(number)[:3])


def paragraphs(number: int, characters: int) -> list[str]:
    """The text of one work: its statements among sentences about how the work was done, about this
    long."""
    sentences, length, sentence = [], 0, 0
    statements = facts(number)
    while length < characters or sentence < 6 * len(statements):
        lines = []
        for _ in range(6):
            lines.append(_filler(number, sentence))
            sentence += 1
        if sentence % 6 == 0 and sentence // 6 <= len(statements):
            lines.insert(2, statements[sentence // 6 - 1])
        sentences.append(" ".join(lines))
        length += len(sentences[-1]) + 2
    return sentences


def _filler(number: int, sentence: int) -> str:
    n = number * 31 + sentence * 17
    who, where = _SUBJECTS[n % len(_SUBJECTS)], _SETTINGS[(n // 3) % len(_SETTINGS)]
    what, why = _ACTIONS[(n // 5) % len(_ACTIONS)], _REASONS[(n // 7) % len(_REASONS)]
    return f"In part {sentence + 1} the {who} {what} {where}, {why}."
