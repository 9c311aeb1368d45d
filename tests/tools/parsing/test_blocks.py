"""Blocks: kinds, spans, heading paths and context, however a document is written."""

import pytest

from tools.documents.blocks import blocks_of_text, decode_blocks, encode_blocks
from tools.documents.model import Block, BlockKind, Request, Section, cell_spans
from tools.documents.parsers.blocks import Composed, ParsedBlock, compose, table_row
from tools.documents.parsers.formats import parse

HANDBOOK = """# Leave

Leave is time off.

## Kinds of leave

These kinds can be combined:

- annual leave
  - accrued each period
- sick leave

| kind | days |
|------|-----:|
| annual | 26 |
| sick | 13 |

## How to apply

Open the form with this command:

```
leave --new

leave --send
```

1. Fill it in.
2. Send it.

> Ask early.
"""


def _quotes(text: str, spans: tuple[tuple[int, int], ...]) -> list[str]:
    return [text[start:end] for start, end in spans]


def _find(text: str, blocks: tuple[Block, ...], quote: str) -> Block:
    return next(block for block in blocks if text[block.start : block.end] == quote)


def test_every_block_of_markdown_has_its_kind_its_headings_and_its_context() -> None:
    extracted = parse(Request(HANDBOOK.encode(), "leave.md"))
    text, blocks = extracted.text, extracted.blocks
    item = _find(text, blocks, "accrued each period")
    assert (item.kind, item.level, item.heading_path) == (
        BlockKind.LIST_ITEM,
        2,
        ("Leave", "Kinds of leave"),
    )
    assert _quotes(text, item.context) == ["These kinds can be combined:", "annual leave"]
    row = _find(text, blocks, "sick | 13")
    assert row.kind == BlockKind.TABLE_ROW and _quotes(text, row.context) == ["kind | days"]
    assert _find(text, blocks, "kind | days").header
    code = _find(text, blocks, "leave --new\n\nleave --send")
    assert code.kind == BlockKind.CODE and _quotes(text, code.context) == [
        "Open the form with this command:"
    ]
    assert _find(text, blocks, "Ask early.").kind == BlockKind.QUOTATION
    assert _find(text, blocks, "Send it.").heading_path == ("Leave", "How to apply")


def test_the_text_keeps_markers_that_blocks_leave_out() -> None:
    composed = compose([ParsedBlock("Steps:"), *(
        ParsedBlock(step, level, kind=BlockKind.LIST_ITEM, marker=marker)
        for step, level,
        marker in (("Open it.", 1, "1."), ("Turn it.", 2, "-"), ("Close it.", 1, "2."))
    )])  # fmt: skip
    assert composed.text == "Steps:\n\n1. Open it.\n  - Turn it.\n2. Close it."
    assert _quotes(composed.text, composed.blocks[2].context) == ["Steps:", "Open it."]
    assert _quotes(composed.text, composed.blocks[3].context) == ["Steps:"]


def test_a_list_after_a_heading_has_no_lead_in_of_the_section_before() -> None:
    item = ParsedBlock("one", 1, kind=BlockKind.LIST_ITEM)
    composed = compose([ParsedBlock("Before."), item, ParsedBlock("Title", 1), item])
    assert composed.blocks[-1].context == ()


def test_a_note_of_several_sentences_leads_in_to_no_list() -> None:
    item = ParsedBlock("one", 1, kind=BlockKind.LIST_ITEM)
    for before, leads in (
        ("Change little. It may break.", False),
        ("These are all.", True),
        ("A. B. All:", True),
    ):
        composed = compose([ParsedBlock(before), item])
        assert bool(composed.blocks[1].context) == leads, before


def test_a_long_lead_in_gives_its_last_sentence() -> None:
    lead = "This sentence is here to fill the paragraph. " * 10 + "These are the kinds:"
    composed = compose([ParsedBlock(lead), ParsedBlock("one", 1, kind=BlockKind.LIST_ITEM)])
    assert _quotes(composed.text, composed.blocks[1].context) == ["These are the kinds:"]


def test_empty_cells_keep_their_place_and_separators_inside_cells_do_not_part_them() -> None:
    row = table_row(["a", "", "b | c"])
    assert row.text.split(" | ") == ["a", "", "b ¦ c"]


@pytest.mark.parametrize("cells", [
    ["", "Adult", "Child"], ["Night", "20 EUR", ""], ["", "", "x"], ["x", "", ""], ["", ""],
    ["a", "", "b"], ["", "x", ""], ["a"], ["|", "logical OR"], ["", "|"], ["a", "|"], ["", "", ""],
])  # fmt: skip
def test_a_row_is_split_into_the_cells_it_was_made_of(cells: list[str]) -> None:
    text = compose([table_row(cells)]).text  # without the outer spaces of its block
    assert [text[start:end] for start, end in cell_spans(text)] == cells


def test_two_tables_under_each_other_keep_their_own_headers() -> None:
    tables = [
        table_row(["a"], header=True),
        table_row(["1"]),
        table_row(["b"], header=True),
        table_row(["2"]),
    ]
    composed = compose(tables)
    assert _quotes(composed.text, composed.blocks[1].context) == ["a"]
    assert _quotes(composed.text, composed.blocks[3].context) == ["b"]


def test_a_paragraph_cut_by_a_page_break_is_one_block() -> None:
    composed = compose(
        [
            ParsedBlock("It begins here", page=1),
            ParsedBlock("and ends here.", page=2, continues=True),
        ],
        2,
    )
    assert [composed.text[b.start : b.end] for b in composed.blocks] == [
        "It begins here and ends here."
    ]
    assert composed.pages[1].start == composed.text.index("and ends")


def _composed() -> Composed:
    return compose(
        [
            ParsedBlock("Head", 1),
            ParsedBlock("Lead:"),
            ParsedBlock("one", 1, kind=BlockKind.LIST_ITEM),
        ]
    )


def test_stored_blocks_are_read_back_as_they_were() -> None:
    composed = _composed()
    assert decode_blocks(composed.text, encode_blocks(composed.blocks)) == composed.blocks


@pytest.mark.parametrize("change", [(1, 0), (2, 10_000), (5, [[0, 10_000]])])
def test_stored_blocks_that_do_not_fit_their_text_are_refused(change: tuple[int, object]) -> None:
    composed = _composed()
    rows = encode_blocks(composed.blocks)
    rows[2][change[0]] = change[1]
    with pytest.raises(ValueError, match="outside"):
        decode_blocks(composed.text, rows)


def test_a_text_without_stored_blocks_is_cut_into_paragraphs_and_items() -> None:
    text = "Leave\n\nKinds of leave\nthat exist:\n- annual\n  - accrued\n- sick\n\nThe end."
    blocks = blocks_of_text(text, (Section("leave", "Leave", 1, 7, len(text)),))
    assert [(b.kind.value, text[b.start : b.end], b.level) for b in blocks] == [
        ("heading", "Leave", 1),
        ("paragraph", "Kinds of leave\nthat exist:", 0),
        ("list_item", "annual", 1),
        ("list_item", "accrued", 2),
        ("list_item", "sick", 1),
        ("paragraph", "The end.", 0),
    ]
    assert _quotes(text, blocks[2].context) == ["Kinds of leave\nthat exist:"]
    assert blocks[-1].heading_path == ("Leave",)
