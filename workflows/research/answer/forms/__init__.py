"""One form an intent: how the answer to such a question is shown."""

from collections.abc import Callable, Mapping, Sequence

from workflows.research.answer.collection import TextCollection
from workflows.research.answer.draft import Draft
from workflows.research.answer.forms.comparison import comparison
from workflows.research.answer.forms.disagreement import disagreement
from workflows.research.answer.forms.instructions import instructions
from workflows.research.answer.forms.listing import listing
from workflows.research.answer.forms.overview import overview
from workflows.research.answer.forms.passages import bearing_passages, few_passages
from workflows.research.answer.selection import Ranked
from workflows.research.understand.intent import Intent
from workflows.research.understand.parts import Part

Form = Callable[[Part, Sequence[Ranked], TextCollection], Draft]

FORMS: Mapping[Intent, Form] = {
    Intent.FACT: few_passages,
    Intent.WHY: few_passages,
    Intent.DEFINITION: few_passages,
    Intent.PERSON: few_passages,
    Intent.YES_NO: bearing_passages,
    Intent.CLAIM: bearing_passages,
    Intent.HOW_TO: instructions,
    Intent.LIST: listing,
    Intent.COMPARISON: comparison,
    Intent.OVERVIEW: overview,
    Intent.DISAGREEMENT: disagreement,
}
