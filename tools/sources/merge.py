"""One work, one source: records of several clients merged field by field.

Records are one work when they share a DOI, arXiv id, PMID, PMCID or canonical URL, when one names
the other as a version of it, or when title, year and first author agree. The order of the input
decides between equal values, so it must not depend on who answered first.
"""

from collections import ChainMap
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tools.sources.source import (
    Source,
    canonical_key,
    canonical_url,
    find_doi,
    id_of,
    is_preprint_doi,
)
from tools.text.tokens import words


def merge(before: Sequence[Source], hits: Sequence[Source]) -> tuple[Source, ...]:
    """The known sources with what `found` adds to them, then the new ones, in order of first
    appearance.

    A known source keeps its id, tag and snapshot: two of them stay two here, even where a new
    record shows that they are one work, because evidence points at both;
    workflows.research.gather.unite makes them one. The record then joins the earlier one.
    """
    records = [*before, *hits]
    groups = groups_of(records, len(before))
    return tuple(
        merge_group([records[i] for i in group], keep=group[0] < len(before)) for group in groups
    )


def keys_of(source: Source) -> tuple[str, ...]:
    """Every key by which another record may be recognised as the same work."""
    ids = (
        ("doi", source.doi),
        ("arxiv", source.arxiv_id),
        ("pmid", source.pmid),
        ("pmcid", source.pmcid),
    )
    keys = [f"{name}:{value.lower()}" for name, value in ids if value]
    keys += [f"{name}:{value}" for name, value in sorted(source.ids.items()) if name == "openalex"]
    keys += [f"doi:{doi}" for doi in versions_of(source)]
    if source.document_id:
        keys.append(f"document:{source.document_id}")
    elif source.url:
        keys.append(f"url:{canonical_url(source.url)}")
    title = _title_key(source)
    return (*keys, title) if title else tuple(keys)


def versions_of(source: Source) -> tuple[str, ...]:
    """DOIs of other versions of the work: a preprint of it, or the article it became."""
    listed = source.fields.get("versions")
    versions = (
        find_doi(value)
        for value in (listed if isinstance(listed, list | tuple) else ())
        if isinstance(value, str)
    )
    return tuple(doi for doi in dict.fromkeys(versions) if doi and doi != source.doi)


def _title_key(source: Source) -> str:
    """Title, year and family name of the first author; empty when one of them is unknown or the
    title is short."""
    title = words(source.title)
    if len(title) < 4 or not source.published or not source.authors or source.is_local:
        return ""
    family = (words(source.authors[0]) or [""])[-1]
    return f"title:{' '.join(title)}:{source.published[:4]}:{family}"


def groups_of(records: Sequence[Source], old_count: int = 0) -> list[list[int]]:
    """Indexes of the records of each work, both in order of first appearance; a group has one known
    source at most. old_count: how many of the first records are known sources."""
    leader = list(range(len(records)))

    def find(i: int) -> int:
        while leader[i] != i:
            i = leader[i]
        return i

    owner: dict[str, int] = {}
    for i, record in enumerate(records):
        for key in keys_of(record):
            first, second = sorted((find(owner.setdefault(key, i)), find(i)))
            if (
                first != second and second >= old_count
            ):  # a leader below `known` leads a known source's group
                leader[second] = first
    groups: dict[int, list[int]] = {}
    for i in range(len(records)):
        groups.setdefault(find(i), []).append(i)
    return list(groups.values())


def merge_group(records: Sequence[Source], keep: bool) -> Source:
    """Records of one work as one. keep: under the id of the first one."""
    first = records[0]
    if len(records) == 1:
        return first
    # Of a preprint and its article, the article is cited
    formal = sorted(
        records, key=lambda r: (r.fields.get("type") == "preprint", is_preprint_doi(r.doi))
    )
    merged = replace(
        first,
        title=_best(records, "title") or "",
        source_type="academic"
        if "academic" in _values(records, "source_type")
        else first.source_type,
        providers=_each_once(records, "providers"),
        published=max(filter(None, _values(records, "published")), key=len, default=None),
        authors=max(_values(records, "authors"), key=len),
        cited_by_count=max(
            (count for count in _values(records, "cited_by_count") if count is not None),
            default=None,
        ),
        references=_each_once(records, "references"),
        abstract=max(_values(records, "abstract"), key=len),
        snippet=_best(records, "snippet") or "",
        ids=_united(_values(records, "ids")),
        fields=_united(_values(records, "fields")) | _versions((*formal, *records)),
        marks=_each_once(records, "marks"),
        reasons=_each_once(records, "reasons"),
        relevance=_united(_values(records, "relevance")),
        hop=min(_values(records, "hop")),
        **{name: _best(formal, name) for name in _OF_THE_ARTICLE},
        **{name: _best(records, name) for name in _FIRST_KNOWN},
    )
    return merged if keep else replace(merged, source_id=id_of(canonical_key(merged)))


_OF_THE_ARTICLE = ("doi", "venue", "issn", "publisher")
_FIRST_KNOWN = (
    "arxiv_id", "pmid", "pmcid", "language", "fulltext_url", "document_id", "snapshot_id", "tag",
    "rejected", "credibility",
)  # fmt: skip


def _versions(records: Sequence[Source]) -> dict[str, Any]:
    """The field with the DOIs of other versions; the first DOI is the work's own."""
    dois = dict.fromkeys(
        doi for record in records for doi in (record.doi, *versions_of(record)) if doi
    )
    return {"versions": list(dois)[1:]} if len(dois) > 1 else {}


def _values(records: Sequence[Source], name: str) -> list[Any]:
    return [getattr(record, name) for record in records]


def _each_once(records: Sequence[Source], name: str) -> tuple[Any, ...]:
    """What stands in a list of any of the records, in order."""
    return tuple(dict.fromkeys(value for values in _values(records, name) for value in values))


def _best(records: Sequence[Source], name: str) -> Any:
    return next((value for record in records if (value := getattr(record, name))), None)


def _united(maps: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Of each key the value of the first that has it."""
    return dict(ChainMap(*map(dict, maps)))
