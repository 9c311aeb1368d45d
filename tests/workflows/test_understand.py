"""Intent, topic and compared things of a question, and the plan that is made of them."""

import time
from dataclasses import replace

import pytest
from plain_deps import World

from tests.tables import each
from workflows.research.state import ResearchState
from workflows.research.understand.intent import Intent, intent_of
from workflows.research.understand.parts import parts_of
from workflows.research.understand.phase import read_question, urls_in
from workflows.research.understand.plan import plan


@each(
    ("question", "intent"),
    [
        ("When was the bridge opened?", "fact"),
        ("How tall is the tower?", "fact"),
        ("urban trees summer heat", "fact"),
        ("Do street trees cool cities?", "yes_no"),
        ("Is it true that fast charging shortens the life of a battery?", "claim"),
        ("How do I install the program on Windows?", "how_to"),
        ("Wie beantrage ich einen Pass?", "how_to"),
        ("Wie starte ich das Programm?", "how_to"),
        ("Why did the bridge close?", "why"),
        ("Warum ist der Himmel blau?", "why"),
        ("What is a merkle tree?", "definition"),
        ("Which version of Windows should I use?", "fact"),
        ("Which versions of Windows should I use?", "list"),
        ("Which process should I use?", "fact"),
        ("Which holidays does the office observe?", "list"),
        ("Which mills grind rye?", "list"),
        ("Which mills of the river grind rye?", "list"),
        ("Which water mills need a dam?", "list"),
        ("What two mills share a dam?", "list"),
        ("Which costs more, rye or oats?", "fact"),
        ("Which mill grinds rye?", "fact"),
        ("What drives mills in summer?", "fact"),
        ("What do millers use at night?", "fact"),
        ("What do I need to do to enable it?", "how_to"),
        ("What does cache_size do?", "definition"),
        ("What do I do when the alarm rings?", "how_to"),
        ("What did the board do about heat?", "fact"),
        ("What are the advantages of street trees?", "list"),
        ("What are some ways to mill rye?", "list"),
        ("What are two kinds of mills?", "list"),
        ("What is good flour?", "definition"),
        ("What are two-way mirrors?", "definition"),
        ("What are 404 errors?", "definition"),
        ("What are ten facts about bees?", "list"),
        ("Resume the work at the mill", "fact"),
        ("What is the difference between weather and climate?", "comparison"),
        ("REST vs GraphQL", "comparison"),
        ("Rye compared to wheat", "comparison"),
        ("How much more rye is milled compared to last year?", "fact"),
        ("Summarise these documents", "overview"),
        ("What do the documents say about heat?", "overview"),
        ("What do studies say about heat?", "overview"),
        ("What's known about heat in cities?", "overview"),
        ("What are the key findings?", "overview"),
        ("What is said about heat?", "overview"),
        ("What is known as a flume?", "definition"),
        ("What was decided about the roof?", "fact"),
        ("What is seed in bitcoin?", "definition"),
        ("What does article 5 say about refunds?", "fact"),
        ("Where do the sources disagree?", "disagreement"),
        ("Where do the sources tend to disagree?", "disagreement"),
        ("What is the politest way to disagree with somebody?", "fact"),
        ("Who is Ada Okafor?", "person"),
        ("Who is Jo Mercer?", "person"),
        ("Who was released by the garrison?", "fact"),
        ("Who is making the plans?", "fact"),
        ("?", "unclear"),
        ("...", "unclear"),
        ("", "unclear"),
    ],
)
def test_intents(question: str, intent: str) -> None:
    assert read_question(question).intent == intent


@each(
    ("question", "intent"),
    [
        ("Was gehört in ein Zeugnis?", "fact"),
        ("Wie heißt der Fluss?", "fact"),
        ("Wie nennt man einen Müller?", "fact"),
        ("Wie schreibt man eine Pressemitteilung?", "how_to"),
        ("Wie funktioniert eine Schleuse?", "why"),
        ("Was ist eine Schleuse?", "definition"),
        ("Was ist die Laufzeit der Zertifikate?", "fact"),
        ("Was sind die Aufgaben der Geschäftsführung?", "list"),
        ("Welche Versicherungen brauchen Ehrenamtliche?", "list"),
        ("Welche Systeme gibt es?", "list"),
        ("Welche Auflösung soll beim Scannen verwendet werden?", "fact"),
        ("Brauche ich für mein Projekt eine Lizenz?", "yes_no"),
        ("Wird das Zertifikat von meinem Browser erkannt?", "yes_no"),
        ("Aus welchem Grund wurde die Brücke gesperrt?", "why"),
        ("Comment publier un jeu de données ?", "how_to"),
        ("Comment notre ville a-t-elle grandi ?", "fact"),
        ("Comment fonctionne un géocodeur ?", "why"),
        ("Quelles licences peut-on utiliser ?", "list"),
        ("Qu'est-ce que la pseudonymisation ?", "definition"),
        ("Mon projet nécessite-t-il une licence ?", "yes_no"),
        ("À qui s'adresse ce guide ?", "fact"),
        ("Dans quels cas la mention s'applique-t-elle ?", "fact"),
        ("¿Necesito una entidad legal para mi proyecto?", "yes_no"),
        ("¿Cómo se llama el río?", "fact"),
        ("¿Cómo se publica un dataset?", "how_to"),
        ("¿Qué herramientas se pueden usar?", "list"),
        ("¿Qué formato de fecha se recomienda?", "fact"),
        ("En la temporada 2015, ¿cuántos ganó el equipo?", "fact"),
        ("Come si rilascia un software esistente?", "how_to"),
        ("Quali sono le fasi della valutazione?", "list"),
        ("È obbligatorio pubblicare il codice sorgente?", "yes_no"),
        ("Os projetos públicos do GitHub são livres?", "yes_no"),
        ("O que é um certificado?", "definition"),
        ("Como formalizo os papéis de liderança?", "how_to"),
        ("Wat zijn de voordelen van een molen?", "list"),
        ("Hoe kan ik mijn project starten?", "how_to"),
        ("Moet ik mijn eigen project starten?", "yes_no"),
        ("Fasse das Protokoll vom Mai zusammen", "overview"),
        ("Was sagen die Dokumente über Wärme?", "overview"),
        ("Vergleiche Roggen und Weizen", "comparison"),
        ("Nenne die Vorteile von Mühlen", "list"),
        ("Résume les documents", "overview"),
        ("Donne-moi un aperçu des documents", "overview"),
        ("Que disent les documents sur la chaleur ?", "overview"),
        ("Comparez le seigle et le blé", "comparison"),
        ("Citez les avantages du moulin", "list"),
        ("Resume los documentos", "overview"),
        ("¿Qué dicen los documentos sobre el calor?", "overview"),
        ("Compara el centeno y el trigo", "comparison"),
        ("Riassumi i documenti", "overview"),
        ("Di cosa parlano i documenti?", "overview"),
        ("Cosa dicono i documenti sul calore?", "overview"),
        ("Resuma os documentos", "overview"),
        ("Do que falam os documentos?", "overview"),
        ("O que dizem os documentos sobre o calor?", "overview"),
        ("Vat de documenten samen", "overview"),
        ("Waar gaan de documenten over?", "overview"),
        ("Waar gaat de trein heen?", "fact"),
        ("Wat zeggen de documenten over warmte?", "overview"),
        ("Vergelijk rogge en tarwe", "comparison"),
        # where the language is not told
        ("Unterschied HTTP und HTTPS", "comparison"),
        ("Zusammenfassung des Berichts", "overview"),
        ("VAT registration threshold", "fact"),
        ("Resume a paused download", "fact"),
        # without the mark of a question, and with a word that asks behind a preposition
        ("Gibt es einen Aufzug", "yes_no"),
        ("Es obligatorio el visado", "yes_no"),
        ("C'è un ascensore", "yes_no"),
        ("Is er een lift", "yes_no"),
        ("Bis wann muss ich mich anmelden?", "fact"),
        ("Jusqu'à quand puis-je m'inscrire ?", "fact"),
        ("¿A partir de qué edad se puede participar?", "fact"),
        ("¿Hay que pagar la entrada?", "yes_no"),
        ("È necessario che il comune paghi?", "yes_no"),
        ("Vanaf welke leeftijd mag ik meedoen?", "fact"),
        # one thing or several
        ("Welche Person ist zuständig?", "fact"),
        ("Welche Rolle spielt der Verein?", "fact"),
        ("Welke dag is de vergadering?", "fact"),
        ("Welke taal was het?", "fact"),
        ("Che documenti servono per il comune?", "list"),
        ("Che orario fa il museo?", "fact"),
        # what is done, and what was done
        ("Wie starb sie?", "fact"),
        ("Wie lebte man im Mittelalter?", "fact"),
        ("¿Cómo terminó la guerra?", "fact"),
        ("¿Cómo instalo el programa?", "how_to"),
        ("Was sind die wichtigsten Ergebnisse?", "overview"),
        ("Quels sont les points principaux ?", "overview"),
        ("Quelles sont les principales villes ?", "list"),
        ("Was sind die Gründe für den Krieg?", "why"),
        ("Quelles sont les causes de la guerre ?", "why"),
        ("Combien de moulins ont fermé à cause du gel ?", "fact"),
        ("¿Cuántos molinos cerraron a causa de la helada?", "fact"),
        ("Quanti mulini chiusero a causa del gelo?", "fact"),
        ("Quantos moinhos fecharam por causa da geada?", "fact"),
        ("Was ist besser, Roggen oder Weizen?", "comparison"),
        ("Que veut dire RGPD ?", "definition"),
        ("Cosa è incluso nel prezzo?", "fact"),
        ("Dammi una lista dei mulini", "list"),
        ("Qu'est-ce que je dois faire ?", "fact"),
        ("Was tun bei Feuer?", "how_to"),
        ("Como se chama o presidente?", "fact"),
        ("Wat staat er in het rapport over honden?", "overview"),
        ("Che differenza c'è tra segale e grano?", "comparison"),
        ("¿Qué diferencia hay entre el centeno y el trigo?", "comparison"),
        ("Que diferença há entre o centeio e o trigo?", "comparison"),
    ],
)
def test_intents_in_other_languages(question: str, intent: str) -> None:
    assert intent_of(question) == intent


@each(
    ("question", "questions"),
    [
        ("Which tools and services do we use?", ["Which tools and services do we use?"]),
        ("When was the mill built and in which year was it sold?",
         ["When was the mill built?", "In which year was it sold?"]),
        ("When did the mill close and who sold the mill?",
         ["When did the mill close?", "Who sold the mill?"]),
    ],
)  # fmt: skip
def test_a_question_is_split_before_a_second_one(question: str, questions: list[str]) -> None:
    assert [part.question for part in parts_of(question)] == questions


def test_of_several_sentences_the_question_decides() -> None:
    assert intent_of("I was called as a juror. Do I lose vacation days?") == Intent.YES_NO


@each(
    ("question", "terms"),
    [
        ("What do the documents say about street trees?", {"street", "trees"}),
        ("What is known about street trees?", {"street", "trees"}),
        ("Give me an overview of the most important points", set()),
        ("What are the key findings on street trees?", {"street", "trees"}),
        ("What are the points of the key?", {"points", "key"}),
        ("Define entropy", {"entropy"}),
        ("score_difference meaning", {"score", "difference"}),
        ("Summarise what the handbook says about travel", {"travel"}),
        ("REST vs GraphQL", {"rest", "graphql"}),
        ("Please summarise the report on heat pumps", {"heat", "pumps"}),
        ("Welche Folgen hat der Brexit für Irland?", {"folgen", "brexit", "irland"}),
        ("What do studies say about heat?", {"heat"}),
        ("What do studies of heat say?", {"studies", "heat"}),
        ("What does address mean?", {"address"}),
    ],
)
def test_words_about_the_task_are_no_part_of_the_topic(question: str, terms: set[str]) -> None:
    assert set(read_question(question).anchor_terms) == terms


@each(
    ("question", "subjects"),
    [
        (
            "Flow batteries vs lithium-ion batteries for eight-hour storage",
            ("Flow batteries", "lithium-ion batteries"),
        ),
        ("Compare heat pumps and gas boilers", ("heat pumps", "gas boilers")),
        ("What is the difference between weather and climate?", ("weather", "climate")),
        ("Which is cheaper, rail or road?", ("rail", "road")),
        ("Are heat pumps better than gas furnaces?", ("heat pumps", "gas furnaces")),
        ("REST vs GraphQL vs gRPC", ("REST", "GraphQL", "gRPC")),
        ("What distinguishes a virus from a bacterium?", ("virus", "bacterium")),
        ("Was ist der Unterschied zwischen Strom und Spannung?", ("Strom", "Spannung")),
        ("Compare and contrast capitalism and socialism", ("capitalism", "socialism")),
        ("Compare the taste of rye and wheat", ("rye", "wheat")),
        ("How does rye compare to wheat, what yield does it give?", ("rye", "wheat")),
    ],
)
def test_subjects_of_a_comparison(question: str, subjects: tuple[str, str]) -> None:
    read = read_question(question)
    assert (read.query_type, read.subjects) == ("comparison", subjects)


def test_addresses_in_a_question() -> None:
    assert urls_in("see example.org/a, and https://example.net/b?c=1.") == (
        "https://example.org/a",
        "https://example.net/b?c=1",
    )


@each(
    "text",
    [
        "A" * 10_000,
        "A a " * 3_000,
        "a.b." * 3_000,
        "vs " * 3_000,
        "compare " * 1_500,
        "a or b " * 300,
        "who is " * 300,
        "t-il " * 400,
    ],
)
def test_no_question_takes_long(text: str) -> None:
    began = time.process_time()
    read_question(text)
    assert time.process_time() - began < 0.5


def test_the_users_question_comes_first_and_aspects_only_where_services_are_asked(
    world: World,
) -> None:
    question = "When was the tower built, and who designed it?"
    state = ResearchState(question, understanding=read_question(question))
    online = plan(state, world.deps()).plan.questions
    assert [question.text for question in online if question.tier == "primary"][:2] == [
        part.question for part in parts_of(question)
    ]
    assert sum(question.weight for question in online) == pytest.approx(1.0, abs=1e-5)
    local = [client for client in world.deps().clients if client.kind == "local"]
    offline = plan(state, replace(world.deps(), clients=tuple(local))).plan.questions
    assert {question.tier for question in offline} == {"primary"}
    assert len(offline) < len(online)


def test_every_query_of_an_aspect_carries_the_topic(world: World) -> None:
    question = "What is grid-forming control?"
    planned = plan(ResearchState(question, understanding=read_question(question)), world.deps())
    for entry in planned.plan.questions:
        assert entry.queries
        assert all("control" in query for query in entry.queries), entry


def test_a_task_needs_those_before_it_alone(world: World) -> None:
    question = "What is grid-forming control?"
    planned = plan(ResearchState(question, understanding=read_question(question)), world.deps())
    earlier: set[str] = set()
    for task in planned.plan.tasks:
        assert earlier.issuperset(task.depends_on)
        earlier.add(task.id)
    assert planned.plan.tasks[-1].kind == "synthesise"


def test_a_later_part_of_a_question_keeps_its_subject() -> None:
    first, later = parts_of("How long does banana bread bake, and at what temperature?")
    assert (first.whole, first.subject) == (first.question, "")
    assert later.question == "At what temperature?"
    assert {"banana", "bread"} <= set(later.whole.split())
