"""First step of training the reader: passages and questions from public collections.

    python -m benchmarks.training.reader_data CLONES WORK [--avoid FILE ...]

CLONES holds a git clone of each repository of reader_sources.toml, called owner+name. Writes passages.jsonl and
questions.jsonl to WORK. Passages that share ten words in a row with a file of --avoid (what figures are reported on)
are left out. Next: reader_pairs.
"""

import argparse
import csv
import json
import random
import re
import subprocess
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

from tools.documents.model import Cut
from tools.documents.parsers.request import Request
from tools.documents.parsers.text import markdown
from tools.errors import ParseError
from tools.index.chunker import chunks
from tools.text.sentences import spans
from tools.text.tokens import STOP

SOURCES = Path(__file__).with_name("reader_sources.toml")
LONGEST = 1100  # characters of a passage
_MOST_FILES = 400  # of one repository of documents
_SHINGLE = 10  # words
_LENGTHS = (300, 500, 700, 1000, 1000)
_EMPTY_HEADINGS = frozenset(
    """contents introduction overview notes abstract copyright license summary example examples discussion minutes
    motivation rationale specification description links references attendees agenda history""".split()
)


@dataclass(slots=True)
class Passage:
    """heading: title and headings above. context: lead-in or header row."""

    number: int
    collection: str
    document: str
    heading: list[str]
    text: str
    context: str = ""


@dataclass(slots=True)
class Question:
    """answers: number of a passage that answers -> places of the answer in it (none: it answers as a whole)."""

    number: int
    collection: str
    text: str
    answers: dict[int, list[tuple[int, int]]]
    by_person: bool = True  # by a person, as a question; else made of a heading or of words of a passage


@dataclass(slots=True)
class Collected:
    """What has been collected so far."""

    avoid: set[int] = field(default_factory=set)
    chance: random.Random = field(default_factory=lambda: random.Random(7))
    passages: list[Passage] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    seen: set[tuple[str, str]] = field(default_factory=set)

    def add(self, collection: str, document: str, heading: Sequence[str], text: str, context: str = "") -> int | None:
        """The number of a new passage; None for one that is too short, there already, or to be avoided."""
        text = text.strip()[:LONGEST]
        if len(text) < 25 or (collection, text) in self.seen or not self.avoid.isdisjoint(shingles(text)):
            return None
        self.seen.add((collection, text))
        passage = Passage(
            len(self.passages), collection, document, [h for h, _ in groupby(heading) if h], text, context
        )
        self.passages.append(passage)
        return passage.number

    def ask(
        self, collection: str, text: str, answers: dict[int, list[tuple[int, int]]], *, by_person: bool = True
    ) -> None:
        text = " ".join(text.split())
        inside = {n: [s for s in places if s[1] <= len(self.passages[n].text)] for n, places in answers.items()}
        if 3 < len(text) < 300 and answers:
            self.questions.append(Question(len(self.questions), collection, text, inside, by_person))


def main(clones: Path, work: Path, avoid: Sequence[Path]) -> None:
    data = Collected({shingle for file in avoid for shingle in shingles(file.read_text(errors="replace"))})
    for source in tomllib.loads(SOURCES.read_text())["collection"]:
        repository, before = Clone(clones, source["repository"]), (len(data.passages), len(data.questions))
        SHAPES[source["shape"]](data, repository, repository.files(source["files"]))
        if source["shape"] == "documents":
            keywords(data, source["repository"], before[0])
        print(source["repository"], len(data.passages) - before[0], "passages", len(data.questions) - before[1])
    work.mkdir(parents=True, exist_ok=True)
    for name, rows in (("passages", data.passages), ("questions", data.questions)):
        with (work / f"{name}.jsonl").open("w") as file:
            file.writelines(json.dumps(asdict(row), ensure_ascii=False) + "\n" for row in rows)


class Clone:
    """The files of a repository."""

    def __init__(self, clones: Path, name: str) -> None:
        self.name, self._place = name, clones / name.replace("/", "+")

    def files(self, pattern: str) -> list[str]:
        listed = self._git("-c", "core.quotepath=off", "ls-tree", "-r", "HEAD", "--name-only").splitlines()
        return [file for file in listed if re.search(pattern, file)]

    def text(self, file: str) -> str:
        return self._git("show", f"HEAD:{file}")

    def _git(self, *words: str) -> str:
        done = subprocess.run(["git", "-C", str(self._place), *words], capture_output=True, check=True)
        return done.stdout.decode(errors="replace")


def shingles(text: str) -> Iterator[int]:
    words = re.sub(r"[^a-z0-9 ]", "", text.lower()).split()
    return (hash(tuple(words[at : at + _SHINGLE])) for at in range(len(words) - _SHINGLE + 1))


def pieces(text: str, most: int) -> Iterator[tuple[int, int]]:
    """Runs of sentences of at most `most` characters."""
    start = end = 0
    for first, last in spans(text):
        if end and last - start > most:
            yield start, end
            start = first
        end = last
    if end > start:
        yield start, end


def documents(data: Collected, clone: Clone, files: Sequence[str]) -> None:
    """Prose with headings; a heading, as it is or as a question, asks for the passages below it."""
    chosen = data.chance.sample(files, min(len(files), _MOST_FILES))
    for file in chosen:
        raw = clone.text(file)
        text = restructured(raw) if file.endswith((".rst", ".txt")) else raw
        try:
            parsed = markdown.parse(Request(text.encode(), f"{file}.md", "text/markdown"))
        except ParseError:
            continue
        title = parsed.title or re.sub(r"[-_]", " ", Path(file).stem)
        below: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for chunk in chunks(parsed.text, parsed.sections, Cut(data.chance.choice(_LENGTHS)), parsed.blocks):
            context = " ".join(parsed.text[start:end] for start, end in chunk.context)[-300:]
            body = parsed.text[chunk.start : chunk.end]
            number = data.add(clone.name, file, [title, *chunk.heading_path], body, context)
            if number is not None and chunk.heading_path:
                below[tuple(chunk.heading_path)].append(number)
        for path, numbers in below.items():
            if question := heading_question(path[-1], title, data.chance):
                data.ask(clone.name, question, {number: [] for number in numbers[:3]}, by_person=False)


def restructured(text: str) -> str:
    """reStructuredText as Markdown, as far as headings and inline marks go."""
    marks: list[str] = []
    lines, out = text.splitlines(), []
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        underline = below.strip()
        if line.strip() and len(set(underline)) == 1 and underline[0] in "=-~^\"'`#*+:." and len(underline) > 2:
            if underline[0] not in marks:
                marks.append(underline[0])
            out.append("#" * min(marks.index(underline[0]) + 1, 5) + f" {line.strip()}")
        elif not (line.strip() and len(set(line.strip())) == 1) and not re.match(r"\s*\.\. ", line):
            plain = re.sub(r":[a-z:+-]+:`([^`<]*?)\s*(<[^`]*>)?`", r"\1", line)
            out.append(re.sub(r"`([^`<]+?)\s*<[^`>]*>`_+", r"\1", plain).replace("``", "`"))
    return "\n".join(out)


def heading_question(heading: str, title: str, rnd: random.Random) -> str | None:
    heading = re.sub(r"^[\d.]+\s*", "", heading).strip(" :#*`")
    if not 2 < len(heading) < 120 or heading.lower() in _EMPTY_HEADINGS:
        return None
    gerund = re.match(r"^([A-Z][a-z]+)ing\b(.*)", heading)
    if heading.endswith("?"):
        return heading
    if gerund and rnd.random() < 0.7:
        verb = re.sub(r"([^sl])\1$", r"\1", gerund.group(1).lower())
        return f"how {rnd.choice(['to', 'do I', 'can I'])} {verb}{gerund.group(2)}"
    forms = (
        f"{rnd.choice(['What is', 'Explain', 'Tell me about', 'Which', 'Why'])} {heading.lower()}?",
        rnd.choice([f"{title} {heading.lower()}", f"{heading.lower()} in {title}"]),
        heading.lower(),
        heading,
    )
    return rnd.choices(forms, (25, 20, 15, 40))[0]


def keywords(data: Collected, collection: str, first: int) -> None:
    """Two to four rare words of a passage, as people type them into a search box."""
    passages = data.passages[first:]
    bags = [[w for w in re.findall(r"[a-z]{3,18}", p.text.lower()) if w not in STOP] for p in passages]
    spread = Counter(word for bag in bags for word in set(bag))
    for passage, bag in data.chance.sample(list(zip(passages, bags, strict=True)), len(passages) // 10):
        near = bag[(at := data.chance.randrange(len(bag) or 1)) : at + 12]
        rare = sorted(set(near), key=lambda word: spread[word])[: data.chance.choice([2, 3, 3, 4])]
        if len(rare) > 1:
            question = " ".join(word for word in dict.fromkeys(near) if word in rare)
            data.ask(collection, question, {passage.number: []}, by_person=False)


def squad(data: Collected, clone: Clone, files: Sequence[str]) -> None:
    """Articles with questions whose answers are places in them; long ones are cut into passages."""
    for file in files:
        name = f"{clone.name}/{Path(file).stem}"
        for number, article in enumerate(json.loads(clone.text(file))["data"]):
            title = str(article.get("title") or "").replace("_", " ")
            title = "" if title.startswith(("Amazon Reviews", "Filtered Reddit")) else title
            for paragraph in article["paragraphs"]:
                _squad_paragraph(data, name, str(number), title, paragraph)


def _squad_paragraph(data: Collected, name: str, document: str, title: str, paragraph: dict[str, Any]) -> None:
    text = paragraph["context"]
    cut = [(0, len(text))] if len(text) <= LONGEST else list(pieces(text, data.chance.choice((350, 600, 900))))
    numbers = {}
    for start, end in cut:
        start += len(text[start:end]) - len(text[start:end].lstrip())
        numbers[start, end] = data.add(name, document, [title], text[start:end])
    for question in paragraph["qas"]:
        answers: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for answer in question.get("answers") or ():
            first, last = answer["answer_start"], answer["answer_start"] + len(answer["text"])
            for (start, end), number in numbers.items():
                if number is not None and start <= first and last <= end:
                    answers[number].append((first - start, last - start))
        data.ask(name, question["question"], dict(answers))


def sentence_of(tokens: Sequence[str]) -> tuple[str, list[tuple[int, int]]]:
    """Tokens of a treebank as running text, and the place of each."""
    written = {"-LRB-": "(", "-RRB-": ")", "-lrb-": "(", "-rrb-": ")", "``": '"', "''": '"'}
    text, places, open_before, quoted = "", [], False, False
    for raw in tokens:
        token = written.get(raw, raw)
        closes = token == '"' and quoted
        if token == '"':
            quoted = not quoted
        sticks = closes or token in {".", ",", ";", ":", "?", "!", ")", "%", "n't"} or re.match(r"'\w", token)
        text += "" if not text or sticks or open_before else " "
        places.append((len(text), len(text) + len(token)))
        text, open_before = text + token, token in {"(", "$", "["} or (token == '"' and quoted)
    return text, places


def qamr(data: Collected, clone: Clone, files: Sequence[str]) -> None:
    """Single sentences of Wikipedia with questions and the tokens that answer."""
    rows = (line.split("\t") for line in clone.text("data/wiki-sentences.tsv").splitlines())
    sentences = {row[0]: row[1].split(" ") for row in rows if len(row) > 1}
    for file in files:
        for row in csv.reader(clone.text(file).splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE):
            if len(row) < 7 or row[0] not in sentences:
                continue  # the others are of the Penn Treebank
            text, places = sentence_of(sentences[row[0]])
            number = data.add(clone.name, row[0], [], text)
            number = len(data.passages) - 1 if number is None and data.passages[-1].text == text else number
            tokens = [int(token) for token in row[6].split()]
            if number is not None and tokens and tokens == list(range(tokens[0], tokens[-1] + 1)):
                data.ask(clone.name, row[5], {number: [(places[tokens[0]][0], places[tokens[-1]][1])]})


def qed(data: Collected, clone: Clone, files: Sequence[str]) -> None:
    """Natural Questions with paragraphs of Wikipedia."""
    for file in files:
        for row in map(json.loads, clone.text(file).splitlines()):
            text, places = sentence_of(row["paragraph_text"].split(" "))
            starts, ends, at = {}, {}, 0
            for token, (start, end) in zip(row["paragraph_text"].split(" "), places, strict=True):
                starts[at], ends[at + len(token)] = start, end
                at += len(token) + 1
            number = data.add(clone.name, row["title_text"], [row["title_text"]], text)
            answers = [answer for group in row["original_nq_answers"] for answer in group]
            answered = [
                (starts[a["start"]], ends[a["end"]]) for a in answers if a["start"] in starts and a["end"] in ends
            ]
            if number is not None and answered:
                data.ask(clone.name, row["question_text"], {number: answered})


def tables(data: Collected, clone: Clone, files: Sequence[str]) -> None:
    """Tables row by row, with their header row as context, and the paragraphs around them."""
    for table in (table for file in files for table in json.loads(clone.text(file))):
        document, (header, *rows) = table["table"]["uid"], table["table"]["table"]
        lead_in = " | ".join(cell for cell in header if cell)
        cells = {data.add(clone.name, document, [], " | ".join(row), lead_in): row for row in rows if any(row[1:])}
        texts = {data.add(clone.name, document, [], p["text"]): str(p["order"]) for p in table["paragraphs"]}
        for question in (question for question in table["questions"] if question["answer_type"] == "span"):
            answer = str(question["answer"][0] if isinstance(question["answer"], list) else question["answer"]).strip()
            right = [n for n, order in texts.items() if order in question["rel_paragraphs"]]
            right += [n for n, row in cells.items() if answer in row and row[0].lower() in question["question"].lower()]
            for number in (n for n in right if n is not None and answer in data.passages[n].text):
                start = data.passages[number].text.index(answer)
                data.ask(clone.name, question["question"], {number: [(start, start + len(answer))]})
                break


def sentences(data: Collected, clone: Clone, files: Sequence[str]) -> None:
    """Sentences of SQuAD with a question that each answers."""
    for file in files:
        questions = clone.text(file.replace("src-", "tgt-")).splitlines()
        numbers: dict[str, int | None] = {}
        for sentence, question in zip(clone.text(file).splitlines(), questions, strict=False):
            if sentence not in numbers:
                numbers[sentence] = data.add(clone.name, file, [], sentence_of(sentence.split(" "))[0])
            number = numbers[sentence]
            if number is not None and data.chance.random() < 0.5:
                data.ask(clone.name, sentence_of(question.split(" "))[0], {number: []})


def medquad(data: Collected, clone: Clone, files: Sequence[str]) -> None:
    """Questions on diseases, each with an answer of several paragraphs."""
    for file in data.chance.sample(files, min(len(files), 2200)):
        text = clone.text(file)
        focus = re.search(r"<Focus>(.*?)</Focus>", text)
        for question, answer in re.findall(r"<Question[^>]*>(.*?)</Question>\s*<Answer>(.*?)</Answer>", text, re.S):
            plain = " ".join(re.sub(r"&[a-z]+;", " ", answer).split())
            heading = [focus.group(1)] if focus else []
            numbers = [data.add(clone.name, file, heading, plain[a:b]) for a, b in [*pieces(plain, 600)][:3]]
            if numbers and numbers[0] is not None:
                data.ask(clone.name, question.replace(" ?", "?"), {numbers[0]: []})


def pubmed(data: Collected, clone: Clone, files: Sequence[str]) -> None:
    """Abstracts in parts; the title asks what the conclusion answers."""
    for number, paper in json.loads(clone.text(files[0])).items():
        for label, text in zip(paper["LABELS"], paper["CONTEXTS"], strict=False):
            data.add(clone.name, number, [label.capitalize()], text)
        conclusion = data.add(clone.name, number, ["Conclusion"], paper["LONG_ANSWER"])
        if conclusion is not None:
            data.ask(clone.name, paper["QUESTION"], {conclusion: []})


def meetings(data: Collected, clone: Clone, files: Sequence[str]) -> None:
    """Minutes: what was spoken in pieces, and summaries that answer questions."""
    for file in files:
        for line, meeting in enumerate(map(json.loads, clone.text(file).splitlines())):
            turns = (f"{turn['speaker']}: {turn['content']}" for turn in meeting["meeting_transcripts"])
            spoken = re.sub(r" ([.,?!;:]|'\w+|n't)", r"\1", re.sub(r"\{[a-z]+\}", "", "\n".join(turns)))
            for start, end in pieces(spoken, data.chance.choice((400, 900))):
                data.add(clone.name, f"{file}:{line}", ["Minutes"], spoken[start:end])
            for question in (*meeting["specific_query_list"], *meeting["general_query_list"]):
                number = data.add(clone.name, f"{file}:{line}", ["Meeting summary"], question["answer"])
                if number is not None:
                    data.ask(clone.name, question["query"], {number: []}, by_person=False)


def commands(data: Collected, clone: Clone, files: Sequence[str]) -> None:
    """Commands with what they do as lead-in."""
    for file in files:
        text = clone.text(file)
        for purpose, code in re.findall(r"^- (.*?):\n\n`(.*?)`", text, re.M):
            code = code.replace("{{", "").replace("}}", "")
            number = data.add(clone.name, file, [text.partition("\n")[0].strip("# ")], code, f"{purpose}:")
            if number is not None and data.chance.random() < 0.3:
                question = data.chance.choice(("How do I ", "how to ", "")) + purpose[0].lower() + purpose[1:]
                data.ask(clone.name, question, {number: []})


SHAPES: dict[str, Callable[[Collected, Clone, Sequence[str]], None]] = {
    "documents": documents, "squad": squad, "qamr": qamr, "qed": qed, "tables": tables, "sentences": sentences,
    "medquad": medquad, "pubmed": pubmed, "meetings": meetings, "commands": commands,
}  # fmt: skip


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clones", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--avoid", type=Path, nargs="*", default=[])
    options = parser.parse_args()
    main(options.clones, options.work, options.avoid)
