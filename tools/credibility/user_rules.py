"""The user's part of the rules of credibility: own base scores, weights, what is checked."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from tools.credibility.credibility_tables import Rule, issn_key, title_key
from tools.sources.domains import host_of

MOST = 0.95  # no score is higher


@dataclass(frozen=True)
class Rules:
    """The user's part of the rules ([credibility] of the configuration).

    own: host, venue title or ISSN -> base score, or {base, category}. Weights scale how far a
    modifier may move the score: 1.0 as specified, 0.0 not at all. outdated_years: field -> years
    after which a work "may be outdated".
    """

    own: Mapping[str, Any] = field(default_factory=dict)
    max_score: float = MOST
    citation_weight: float = 1.0
    cross_reference_weight: float = 1.0
    retraction_check: bool = True
    predatory_check: bool = True
    outdated_years: Mapping[str, int] = field(default_factory=dict)

    @cached_property
    def by_key(self) -> dict[str, Rule]:
        """`own` by host, ISSN or title key; entries that are no number from 0 to 1 are left out."""
        return dict(entry for name, value in self.own.items() if (entry := _own_rule(name, value)))


def rules_of(rules: Rules | Mapping[str, Any] | None) -> Rules:
    """The rules as they are, or those that a mapping of `Rules.own` amounts to."""
    return rules if isinstance(rules, Rules) else Rules(own=rules or {})


def _own_rule(name: str, value: Any) -> tuple[str, Rule] | None:
    rule = value if isinstance(value, Mapping) else {"base": value}
    base = rule.get("base")
    if isinstance(base, bool) or not isinstance(base, int | float) or not 0 <= base <= 1:
        return None
    is_host = "." in name and " " not in name.strip()
    key = issn_key(name) or (host_of(name) if is_host else "") or title_key(name)
    category = rule.get("category") or f"{name} (your rule)"
    return key, Rule("own", float(base), category, name, name, scholarly=not is_host)
