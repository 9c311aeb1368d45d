"""First step of training the reader (tools/data/reader.onnx): questions, and what our search gives
for each.

    python -m benchmarks.training.reader_data CLONES OUT.json [SET ...]

CLONES holds a git clone of each of these repositories, called owner+name:

    xinyadu/nqg 8211129a (MIT; questions and sentences of SQuAD, CC BY-SA 4.0): squad
    google-research-datasets/QED 24929203 and 71e19e08, its first release (Natural Questions;
        paragraphs of Wikipedia, CC BY-SA 3.0): nq
    deepset-ai/COVID-QA fb2eb5e2 (Apache-2.0): covid
    abachaa/MedQuAD 577bd37b (CC BY 4.0; those of its answers that are in it, not the three emptied
    folders): med emorynlp/selqa fef3d6ac (Apache-2.0; sentences of Wikipedia, CC BY-SA 3.0):
    selqa-dev; held out: selqa-test deepmind/xquad 60cac411 (CC BY-SA 4.0); held out: xquad
    ppasupat/WikiTableQuestions 7d455a5a (CC BY-SA 4.0): tables gohugoio/hugoDocs 1c613349
    (Apache-2.0), spring-projects/spring-boot c329ffa2 (Apache-2.0), nodejs/nodejs.org
        6f94c8a6 (MIT), prometheus/docs c105550a (Apache-2.0), withastro/docs 741c1b89 (MIT): hugo,
        boot, node, prometheus, astro: headings of documentation, each a question for the text below
        it
    those of WRITTEN below, with questions that a language model wrote for this. For the sets of
        that name it read the documents first; one in four is answered nowhere in them. For those
        called "asked-NAME" it saw no more than the names of the files when it wrote, and looked for
        the answers afterwards, as one asks who has not read. Five collections are held out. The
        questions, with the words that answer, are in reader_questions.jsonl.gz; the licences are in
        tools/data/reader.LICENSE.txt, those of what is held out here: 18F/handbook and
        python/devguide CC0, philschatz/biology-book CC BY 3.0,
        openjs-foundation/cross-project-council MIT, carpentries/docs.carpentries.org CC BY 4.0

Each set is indexed as a collection of documents. A question with its first twelve passages is a
group where one of the first twenty holds the answer; of one that was asked blindly the right
passage is added where it is none of these. The groups hold tokens and places of answers in them;
minutes. Next: train_reader.

The reader that is shipped was trained when the blind sets still drew other files of their
repositories than their questions are about: 424 of 1,509 questions found no right passage there,
123 do now.

All questions of XQuAD are in the development half of nqg and are left out of the training. Of the
1,590 held-out questions of SelQA, 457 are about a section that a question of the training is about
too; no question is in both.
"""

import csv
import gzip
import io
import itertools
import json
import random
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from tools.database import Database
from tools.documents.model import BlockKind, Extracted, Passage, Request
from tools.documents.parsers.formats import parse
from tools.documents.snapshots import SnapshotFiles
from tools.errors import ParseError
from tools.index.vectors.wordpiece import Token, WordPiece
from tools.schema import CORPUS
from tools.search.search import Corpus
from workflows.research.answer.collection import TextInfo

QUESTION_TOKENS, HEADING_TOKENS, PASSAGE_TOKENS = 48, 48, 256
HELD_OUT = ("xquad", "selqa-test", "handbook", "devguide", "cpc", "biology", "carpentries")
# Passages of a group; of a search, among which the right ones are looked for
_CANDIDATES, _SEARCHED = (
    12,
    20,
)
ASKED = "asked-"  # begins the names of sets of blind questions
_HEADINGS = 1500  # of one set
_RIGHT = 2  # right passages of a group at most
_HELD_OUT_GROUPS = 150
_LONGEST_SPAN = 80  # characters of an answer within a sentence
# share of the headings that their own passages are shown without: most questions are no headings
_HEADING_HIDDEN = 0.7
_NONE = (-1, -1)
_EXTRA_SPACE = re.compile(r" (?=[?!;:)%])|(?<=\() ")
_MARKS = re.compile(r"([\\`*_\[\]<>#|])")


@dataclass(frozen=True, slots=True)
class Question:
    """answer: what a right passage holds, "" where none does. region: the sentence that answers,
    span: the words of it that do; "" where they are not marked. hidden: a heading that passages are
    shown without. also: further pieces of text that answer. blind: asked by one who had not read
    the documents."""

    text: str
    answer: str
    region: str = ""
    span: str = ""
    hidden: str = ""
    also: tuple[str, ...] = ()
    blind: bool = False


@dataclass(frozen=True, slots=True)
class Clone:
    """The files of a repository at a commit."""

    clones: Path
    name: str
    commit: str

    def files(self, pattern: str) -> list[str]:
        names = self._git("ls-tree", "-r", "--name-only", self.commit).splitlines()
        return [name for name in names if re.fullmatch(pattern, name)]

    def text(self, file: str) -> str:
        return self._git("show", f"{self.commit}:{file}")

    def _git(self, *words: str) -> str:
        command = [
            "git",
            "-C",
            str(self.clones / self.name.replace("/", "+")),
            "-c",
            "core.quotepath=off",
            *words,
        ]
        return subprocess.run(command, capture_output=True, check=True).stdout.decode(
            errors="replace"
        )


Documents = list[tuple[str, str]]  # (name of the file, text)
QuestionSet = tuple[Documents, list[Question]]


def main(clones: Path, output: Path, names: Sequence[str] = ()) -> None:
    tables = {}
    for name in names or SETS:
        documents, questions = SETS[name](clones, random.Random(name.removeprefix(ASKED)))
        with tempfile.TemporaryDirectory() as home:
            corpus = Corpus(
                Database(Path(home) / "corpus.db", CORPUS), SnapshotFiles(Path(home) / "snapshots")
            )
            headings = [
                question for document in documents for question in indexed(corpus, *document)
            ]
            random.Random(name).shuffle(headings)
            groups = Groups(corpus)
            for question in questions or headings[:_HEADINGS]:
                groups.add(question)
        held_out = name in HELD_OUT
        rows = groups.rows[: _HELD_OUT_GROUPS if held_out else None]
        tables[name] = {"held_out": held_out, "passages": groups.passages, "groups": rows}
        print(
            f"{name}: {len(documents)} documents, {len(questions or headings)} questions, "
            f"{len(rows)} groups",
            flush=True,
        )
    output.write_text(json.dumps(tables, separators=(",", ":")), encoding="utf-8")


def indexed(corpus: Corpus, name: str, text: str) -> list[Question]:
    """Index a document; its headings as questions."""
    added = add_document(corpus, name, text)
    return list(_headings(added[1])) if added else []


def add_document(corpus: Corpus, name: str, text: str) -> tuple[TextInfo, Extracted] | None:
    """Index a document; None for one that cannot be read."""
    try:
        document = parse(Request(text.encode(), name))
    except ParseError:
        return None
    snapshot_id = corpus.snapshots.put(document.text)
    title = document.title or Path(name).stem
    corpus.add(
        snapshot_id,
        document.text,
        document.sections,
        title=title,
        kind="document",
        blocks=document.blocks,
    )
    return TextInfo(snapshot_id, snapshot_id, title, Path(name).name), document


def _headings(document: Extracted) -> Iterator[Question]:
    for heading, block in zip(document.blocks, document.blocks[1:], strict=False):
        text = document.text[heading.start : heading.end].strip()
        below = " ".join(document.text[block.start : block.end].split())
        if (
            heading.kind == BlockKind.HEADING != block.kind
            and 6 <= len(text) <= 90
            and len(below) >= 40
        ):
            hidden = text if random.Random(below).random() < _HEADING_HIDDEN else ""
            yield Question(text, below[:90], hidden=hidden)


class Groups:
    """passages: (tokens of the heading, tokens of the text), each once. rows: (tokens of the
    question, candidates as [passage, right, first and last token of the sentence that answers, of
    its words that do]), -1 where not marked."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus, self._pieces = corpus, WordPiece()
        self._numbers: dict[tuple[str, int, str], int] = {}
        self._tokens: list[list[Token]] = []
        self.passages: list[tuple[list[int], list[int]]] = []
        self.rows: list[tuple[list[int], list[tuple[int, ...]]]] = []

    def add(self, question: Question) -> None:
        hits = self._corpus.search(question.text, _SEARCHED)
        rows = [(rank, self._row(question, passage)) for rank, passage in enumerate(hits)]
        right = [row for _, row in rows if row[1]][:_RIGHT]
        if question.blind and question.answer and not right:
            added = (
                self._row(question, passage)
                for passage in self._corpus.search(question.answer, _SEARCHED)
            )
            right = [row for row in added if row[1]][:1]
        others = [row for rank, row in rows if not row[1] and rank < _CANDIDATES]
        if right or not question.answer:
            tokens = [token.id for token in self._pieces.tokens(question.text)][:QUESTION_TOKENS]
            self.rows.append((tokens, right + others[: _CANDIDATES - len(right)]))

    def _row(self, question: Question, passage: Passage) -> tuple[int, ...]:
        number = self._number(passage, question.hidden)
        if not locate(passage.text, question.answer):
            other = next(
                filter(None, (locate(passage.text, piece) for piece in question.also)), None
            )
            return (number, int(bool(other)), *self._places(number, other), *_NONE)
        region = locate(passage.text, question.region)
        span = locate(passage.text[slice(*region)], question.span) if region else None
        within = (region[0] + span[0], region[0] + span[1]) if region and span else None
        return (number, 1, *self._places(number, region), *self._places(number, within))

    def _number(self, passage: Passage, hidden: str) -> int:
        key = (passage.snapshot_id, passage.start, hidden if hidden in passage.heading else "")
        if key not in self._numbers:
            self._numbers[key] = len(self.passages)
            title = passage.heading.replace(hidden, "").strip().rstrip(".:")
            heading = [token.id for token in self._pieces.tokens(f"{title}.")] if title else []
            tokens = self._pieces.tokens(passage.text)[:PASSAGE_TOKENS]
            self._tokens.append(tokens)
            self.passages.append((heading[:HEADING_TOKENS], [token.id for token in tokens]))
        return self._numbers[key]

    def _places(self, number: int, place: tuple[int, int] | None) -> tuple[int, int]:
        """The first and the last token of a piece of a passage."""
        if place is None:
            return _NONE
        inside = [
            i
            for i, token in enumerate(self._tokens[number])
            if token.end > place[0] and token.start < place[1]
        ]
        return (inside[0], inside[-1]) if inside else _NONE


def locate(text: str, words: str) -> tuple[int, int] | None:
    """Where the first sixty words stand in a text, whatever stands between them; None for none."""
    pattern = r"\W{1,8}".join(map(re.escape, re.findall(r"\w+", words)[:60]))
    match = re.search(pattern, text, re.IGNORECASE) if pattern else None
    return match.span() if match else None


def squad(clones: Path, chance: random.Random) -> QuestionSet:
    """Sentences in the order in which they stand, five to a paragraph and 120 to a document."""
    sentences, queries = (
        _lines(Clone(clones, "xinyadu/nqg", "8211129a"), side) for side in ("src", "tgt")
    )
    unique = [sentence[:1].upper() + sentence[1:] for sentence in dict.fromkeys(sentences)]
    paragraphs = [_escaped(" ".join(unique[at : at + 5])) for at in range(0, len(unique), 5)]
    documents = [
        ("page.md", "\n\n".join(paragraphs[at : at + 24])) for at in range(0, len(paragraphs), 24)
    ]
    held_out = {letters(question.text) for question in xquad(clones, chance)[1]}
    pairs = [
        pair for pair in zip(queries, sentences, strict=True) if letters(pair[0]) not in held_out
    ]
    questions = [
        Question(query, sentence, sentence) for query, sentence in pairs if len(sentence) > 20
    ]
    chance.shuffle(questions)
    return documents, questions[:5000]


def _lines(clone: Clone, side: str) -> list[str]:
    texts = (clone.text(f"data/processed/{side}-{half}.txt") for half in ("dev", "test"))
    return [_running(line) for text in texts for line in text.splitlines()]


def natural_questions(clones: Path, chance: random.Random) -> QuestionSet:
    first, latest = (
        Clone(clones, "google-research-datasets/QED", commit) for commit in ("71e19e08", "24929203")
    )
    lines = [
        line for n in range(6) for line in first.text(f"nq-train-0{n}-qed.jsonlines").splitlines()
    ]
    rows = [json.loads(line) for line in [*lines, *latest.text("qed-dev.jsonlines").splitlines()]]
    paragraphs: dict[str, list[str]] = defaultdict(list)
    questions: list[Question] = []
    for row in rows:
        text, places = row["paragraph_text"], list(_answer_places(row))
        if not places or len(text) < 60:
            continue
        if text not in paragraphs[row["title_text"]]:
            paragraphs[row["title_text"]].append(text)
        questions.append(_natural_question(row, places[0], chance))
    return [
        _document(title, map(_running, texts)) for title, texts in paragraphs.items()
    ], questions


def _natural_question(
    row: Mapping[str, Any], place: tuple[int, int], chance: random.Random
) -> Question:
    text, query = row["paragraph_text"], row["question_text"]
    starts = [*(row["sentence_starts"] or [0]), len(text)]
    number = max((i for i, start in enumerate(starts[:-1]) if start <= place[0]), default=0)
    sentence = _running(text[starts[number] : starts[number + 1]])
    query = f"{query[0].upper()}{query[1:]}?" if chance.random() < 0.5 else query
    return Question(query, sentence, sentence, _running(text[slice(*place)]))


def _answer_places(row: Mapping[str, Any]) -> Iterator[tuple[int, int]]:
    """(start, end) of the answers, in the form of either release."""
    for answers in (row.get("original_nq_answers") or [])[:1]:
        yield from ((span["start"], span["end"]) for span in answers)
    yield from (tuple(span) for span in row.get("answer_spans") or [])


def covid(clones: Path, chance: random.Random) -> QuestionSet:
    clone = Clone(clones, "deepset-ai/COVID-QA", "fb2eb5e2")
    documents: Documents = []
    questions: list[Question] = []
    for article in json.loads(clone.text("data/question-answering/200421_covidQA.json"))["data"]:
        for paragraph in article["paragraphs"]:
            title, *texts = [
                line.strip() for line in paragraph["context"].split("\n") if line.strip()
            ]
            documents.append(_document(title, texts))
        questions += _marked(article["paragraphs"])
    return documents, questions


def _marked(paragraphs: Sequence[Mapping[str, Any]]) -> Iterator[Question]:
    """Questions in the form of SQuAD."""
    for paragraph in paragraphs:
        for entry in paragraph["qas"]:
            answer = entry["answers"][0]["text"].strip()
            if answer:
                yield Question(
                    entry["question"], answer, answer, answer if len(answer) < _LONGEST_SPAN else ""
                )


def medicine(clones: Path, chance: random.Random) -> QuestionSet:
    clone = Clone(clones, "abachaa/MedQuAD", "577bd37b")
    documents: Documents = []
    questions: list[Question] = []
    files = clone.files(r"(?!1[012]_).*\.xml")
    for file in chance.sample(files, min(len(files), 3000)):
        page = ElementTree.fromstring(clone.text(file))
        pairs = [pair for entry in page.iter("QAPair") for pair in _sections(entry)]
        questions += [question for _, question in pairs]
        if pairs:
            documents.append(
                _document(page.findtext("Focus") or "", (), [section for section, _ in pairs])
            )
    chance.shuffle(questions)
    return documents, questions[:3000]


def _sections(pair: ElementTree.Element) -> Iterator[tuple[tuple[str, str], Question]]:
    """A question of MedQuAD, with the section (heading, text) that answers it; none where the
    answer is too short."""
    entry, answer = pair.find("Question"), " ".join((pair.findtext("Answer") or "").split())
    if entry is not None and len(answer) >= 60:
        kind = entry.get("qtype") or "information"
        sentence = re.match(r".{30,300}?\.(?= )", f"{answer} ") if kind == "information" else None
        question = Question(
            " ".join((entry.text or "").split()), answer[:100], sentence[0] if sentence else ""
        )
        yield ("Overview" if kind == "information" else kind.capitalize(), answer), question


def selqa(half: str, clones: Path, chance: random.Random) -> QuestionSet:
    sections: dict[str, dict[str, str]] = defaultdict(dict)
    questions: list[Question] = []
    for entry in json.loads(
        Clone(clones, "emorynlp/selqa", "fef3d6ac").text(f"ass/selqa-ass-{half}.json")
    ):
        sentences = [_running(sentence) for sentence in entry["candidates"]]
        sections[entry["article"]].setdefault(entry["section"], " ".join(sentences))
        answers = [sentences[number] for number in entry["answers"]]
        questions += [Question(entry["question"], answer, answer) for answer in answers[:1]]
    return [_document(article, (), parts.items()) for article, parts in sections.items()], questions


def xquad(clones: Path, chance: random.Random) -> QuestionSet:
    documents: Documents = []
    questions: list[Question] = []
    for article in json.loads(Clone(clones, "deepmind/xquad", "60cac411").text("xquad.en.json"))[
        "data"
    ]:
        texts = [paragraph["context"] for paragraph in article["paragraphs"]]
        documents.append(_document(article["title"].replace("_", " "), texts))
        for text, entry in (
            (part["context"], entry) for part in article["paragraphs"] for entry in part["qas"]
        ):
            answer, start = entry["answers"][0]["text"], entry["answers"][0]["answer_start"]
            around = text[max(0, start - 30) : start + len(answer) + 20]
            questions.append(Question(entry["question"], around, around, answer))
    return documents, questions


def tables(clones: Path, chance: random.Random) -> QuestionSet:
    """Tables of Wikipedia, half of them CSV, half Markdown. Of the questions those that one row
    answers: it alone holds the answer, and it alone another cell that the question names."""
    clone = Clone(clones, "ppasupat/WikiTableQuestions", "7d455a5a")
    asked = defaultdict(list)
    for line in clone.text("data/training.tsv").splitlines()[1:]:
        _, query, file, answer = line.split("\t")
        asked[file].append((query, answer))
    documents: Documents = []
    questions: list[Question] = []
    for file, pairs in asked.items():
        head, *rows = csv.reader(io.StringIO(clone.text(file)), escapechar="\\")
        title = json.loads(clone.text(re.sub("csv", "page", file.removesuffix(".csv")) + ".json"))[
            "title"
        ]
        as_csv = chance.random() < 0.5
        documents.append(
            _csv_table(title, head, rows) if as_csv else _markdown_table(title, head, rows)
        )
        for query, answer in pairs:
            row = _row_that_answers(query, answer, rows)
            if row:
                cells = zip(head, row, strict=False)
                text = (
                    "; ".join(f"{name}: {cell}" for name, cell in cells if cell)
                    if as_csv
                    else " | ".join(row)
                )
                questions.append(Question(query, text, text, answer))
    return documents, questions


def _csv_table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> tuple[str, str]:
    text = io.StringIO()
    csv.writer(text).writerows([head, *rows])
    return f"{title.replace('/', ' ')}.csv", text.getvalue()


def _markdown_table(
    title: str, head: Sequence[str], rows: Iterable[Sequence[str]]
) -> tuple[str, str]:
    lines = [head, ["---"] * len(head), *rows]
    return "page.md", "\n".join(
        [f"# {title}\n", *(f"| {' | '.join(map(_escaped, line))} |" for line in lines)]
    )


def _row_that_answers(
    query: str, answer: str, rows: Sequence[Sequence[str]]
) -> Sequence[str] | None:
    folded = [[_folded(cell) for cell in row] for row in rows]
    found = [number for number, row in enumerate(folded) if _folded(answer) in row]
    if len(found) != 1:
        return None
    cells = (
        cell for cell in folded[found[0]] if len(cell) > len("the") and cell != _folded(answer)
    )
    named = (cell for cell in cells if f" {cell} " in f" {_folded(query)} ")
    return (
        rows[found[0]] if any(sum(cell in row for row in folded) == 1 for cell in named) else None
    )


def _folded(text: str) -> str:
    return re.sub(r"\W+", " ", text).strip().lower()


def manuals(
    clone: tuple[str, str], files: str, most: int, clones: Path, chance: random.Random
) -> QuestionSet:
    """Files whose headings are the questions. files: their names. most: of them."""
    repository = Clone(clones, *clone)
    names = repository.files(files)
    chance.shuffle(names)
    texts = ((name, repository.text(name)) for name in names)
    lengthy = (
        (re.sub(r"txt$", "adoc", Path(name).name), text)
        for name, text in texts
        if 800 < len(text) < 200_000
    )
    return [document for document, _ in zip(lengthy, range(most), strict=False)], []


def written(name: str, blind: bool, clones: Path, chance: random.Random) -> QuestionSet:
    """A collection, and questions that were written for it, of which a few are answered nowhere."""
    repository, commit, pattern, most = WRITTEN[name]
    clone = Clone(clones, repository, commit)
    files = clone.files(pattern)
    chance.shuffle(files)
    texts = (
        (file.replace("/", "__").removesuffix(".njk").removesuffix(".erb"), clone.text(file))
        for file in files
    )
    pieces = (piece for text in texts for piece in _essays(*text))
    documents = itertools.islice(
        (piece for piece in pieces if 900 < len(piece[1].encode()) < 150_000), most
    )
    rows = map(json.loads, gzip.decompress(QUESTIONS.read_bytes()).splitlines())
    asked = (row for row in rows if row["set"] == name and row.get("blind", False) == blind)
    return list(documents), [_written_question(row, blind) for row in asked]


def _written_question(row: Mapping[str, Any], blind: bool) -> Question:
    answer = row.get("answer", "")
    return Question(
        row["q"], answer, answer, row.get("short", ""), also=tuple(row.get("also", ())), blind=blind
    )


def _essays(name: str, text: str) -> Documents:
    """The Federalist Papers, one file, cut into its papers; another file as it is."""
    pieces = re.split(r"\n(?=FEDERALIST\.? +No\. +\d+)", text.replace("\r", ""))
    return [(f"{number}-{name}", piece) for number, piece in enumerate(pieces[1:])] or [
        (name, text)
    ]


def _document(
    title: str, paragraphs: Iterable[str], sections: Iterable[tuple[str, str]] = ()
) -> tuple[str, str]:
    """A document in Markdown. sections: (heading, text)."""
    texts = [_escaped(" ".join(text.split())) for text in paragraphs]
    texts += [f"## {_escaped(heading)}\n\n{_escaped(text)}" for heading, text in sections]
    return "page.md", "\n\n".join([f"# {_escaped(title)}", *texts])


def _escaped(text: str) -> str:
    """Text that means the same in Markdown."""
    return _MARKS.sub(r"\\\1", text)


def plain(text: str) -> str:
    """Tokens of a data set as running text."""
    for token, written in (
        ("-lrb- ", "("),
        (" -rrb-", ")"),
        (" ,", ","),
        (" .", "."),
        (" ?", "?"),
        (" '", "'"),
        ("`` ", '"'),
        (" ''", '"'),
    ):
        text = text.replace(token, written)
    return " ".join(text.split())


def _running(text: str) -> str:
    return _EXTRA_SPACE.sub("", plain(text)).replace(" -- ", " - ").replace(" n't", "n't")


def letters(text: str) -> str:
    """The letters and digits of a text, in lower case."""
    return re.sub(r"\W", "", text).lower()


# Name of the set -> repository, commit, files, most of them
WRITTEN = {
    "handbook": ("18F/handbook", "1e495563", r"pages/.*\.md", 120),
    "redis": ("redis/redis-doc", "10442244", r"(commands|docs)/.*\.md", 160),
    "eips": ("ethereum/EIPs", "f767a1e8", r"EIPS/.*\.md", 110),
    "devguide": ("python/devguide", "0d5fbc08", r"(?!\.).*\.rst", 70),
    "govuk": ("alphagov/govuk-design-system", "efb0d77d", r"src/.*\.md(\.njk)?", 110),
    "anatomy": ("philschatz/anatomy-book", "eadaa6b2", r"contents/.*\.md", 110),
    "rfcs": ("rust-lang/rfcs", "354518a8", r"text/.*\.md", 110),
    "curl": ("curl/everything-curl", "de1a7e71", r"(?!\.).*\.md", 300),
    "k8s": ("kubernetes/community", "24e7d8f5", r"(?!archive|\.).*\.md", 150),
    "cpc": (
        "openjs-foundation/cross-project-council",
        "f7426cbe",
        r"(meetings|governance|proposals).*\.md|[A-Z_]+\.md",
        150,
    ),
    "traefik": ("traefik/traefik", "fd5a576d", r"docs/content/.*\.md", 120),
    "cncf": ("cncf/toc", "4acc1dcf", r"(projects|operations|process).*\.md", 110),
    "biology": ("philschatz/biology-book", "cf3dc8c0", r"contents/.*\.md", 110),
    "ushistory": ("philschatz/us-history-book", "635ed591", r"contents/.*\.md", 110),
    "rustc": ("rust-lang/compiler-team", "5222c61f", r"content/.*\.md", 90),
    "content": ("18F/content-guide", "1b1723d3", r"_pages/(?!redirects).*\.md", 60),
    "methods": ("18F/methods", "f9305795", r"_methods/.*\.md", 60),
    "etcd": ("etcd-io/website", "82459793", r"content/en/docs/v3\.6/.*\.md", 90),
    "helm": ("helm/helm-www", "227f4144", r"(docs|blog)/.*\.mdx?", 110),
    "code": ("publiccodenet/standard", "d7c76d39", r"(criteria/)?[a-z0-9-]*\.md", 40),
    "federalist": ("GITenberg/The-Federalist-Papers_1404", "7effe9c7", r"1404-8\.txt", 90),
    "wsl": ("MicrosoftDocs/WSL", "8842def7", r"WSL/.*\.md", 60),
    "physics": ("philschatz/physics-book", "a7efaa7e", r"contents/.*\.md", 110),
    "owasp": ("OWASP/CheatSheetSeries", "6b8819da", r"cheatsheets/.*\.md", 110),
    "carpentries": (
        "carpentries/docs.carpentries.org",
        "0051f423",
        r"source/(resources|policies|handbooks).*\.md",
        70,
    ),
    "brew": ("Homebrew/brew", "aad366ff", r"docs/.*\.md", 90),
    "sourcegraph": ("sourcegraph/handbook", "5752928b", r"content/.*\.md", 160),
    "foundation": ("cncf/foundation", "7596c669", r".*\.md", 90),
    "otel": ("open-telemetry/opentelemetry.io", "dd5997c8", r"content/en/(docs|blog)/.*\.md", 120),
    "restic": ("restic/restic", "a80be147", r"doc/.*\.rst", 60),
    "letsencrypt": ("letsencrypt/website", "b89871ef", r"content/en/.*\.md", 90),
    "publiccode": ("publiccodenet/standard", "d7c76d39", r".*\.md", 70),
    "pihole": ("pi-hole/docs", "7c96feb5", r"docs/.*\.md", 90),
    "statistics": ("philschatz/statistics-book", "c7137efc", r"contents/.*\.md", 110),
    "gdsway": ("alphagov/gds-way", "627911cd", r"source/.*\.md(\.erb)?", 90),
    "oss": ("github/opensource.guide", "ebc9678e", r"_articles/[a-z-]*\.md", 40),
}
_ONLY_BLIND = ("restic", "letsencrypt", "publiccode", "pihole", "statistics", "gdsway")
BLIND = tuple(f"{ASKED}{name}" for name in WRITTEN if name not in HELD_OUT)
# Sets that no teacher scores: it is known which of their passages answer
UNTAUGHT = (
    *WRITTEN,
    *BLIND,
    "tables",
)
QUESTIONS = Path(__file__).parent / "reader_questions.jsonl.gz"
SETS: dict[str, Callable[[Path, random.Random], QuestionSet]] = {
    "squad": squad,
    "nq": natural_questions,
    "covid": covid,
    "med": medicine,
    "selqa-dev": partial(selqa, "dev"),
    "hugo": partial(manuals, ("gohugoio/hugoDocs", "1c613349"), r"content/en/.*\.md", 500),
    "boot": partial(
        manuals,
        ("spring-projects/spring-boot", "c329ffa2"),
        r".*(/antora/|documentation).*\.adoc",
        300,
    ),
    "node": partial(
        manuals, ("nodejs/nodejs.org", "6f94c8a6"), r".*(learn|knowledge|blog).*\.mdx?", 300
    ),
    "prometheus": partial(
        manuals, ("prometheus/docs", "c105550a"), r".*(content|docs|blog).*\.md", 300
    ),
    "astro": partial(manuals, ("withastro/docs", "741c1b89"), r".*content/docs/en/.*\.mdx?", 300),
    "tables": tables,
    **{name: partial(written, name, False) for name in WRITTEN if name not in _ONLY_BLIND},
    **{name: partial(written, name.removeprefix(ASKED), True) for name in BLIND},
    "xquad": xquad,
    "selqa-test": partial(selqa, "test"),
}


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
