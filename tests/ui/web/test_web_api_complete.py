"""Whatever a page shows or does, a program can ask for: each address of the pages has its
operations."""

from typing import Any

from ui.web.api.table import ROUTES

# An address of the pages -> the operations that do the same. Nothing: it is about the page itself.
SAME = {
    "asked.progress": "quick_search ask", "asked.show": "quick_search ask",
    "asked.stop": "quick_search ask",
    "bring_in.form": "", "bring_in.upload": "import",
    "compare.index": "compare search", "compare.swap": "",
    "history.feed": "search",
    "follow_up.ask": "follow further conversation",
    "help.about": "health", "help.api": "", "help.index": "",
    "history.change": "marks archive compare delete undelete", "history.index": "search jobs",
    "home.index": "start search jobs related clients keys roles", "home.nearby": "related",
    "home.theme": "",
    "library.clear": "remove_document", "library.document": "document",
    "library.examples": "upload",
    "library.folder": "add_folder", "library.folders": "",
    "library.index": "documents search_documents folders stats",
    "library.meaning": "meaning",
    "library.progress": "reading", "library.refresh": "refresh",
    "library.remove": "remove_document",
    "library.remove_folder": "remove_folder", "library.stop": "stop_reading",
    "library.upload": "upload",
    "library.watch": "watch watching",
    "marks.check": "check", "matrix.show": "export",
    "marks.delete": "delete", "marks.notes": "marks", "marks.star": "marks",
    "marks.undelete": "undelete",
    "models.detect": "detect_models", "models.endpoint": "set_model_server",
    "models.remove": "remove_model_server",
    "models.get_file": "get_model_file getting_model_file model_offers model_files",
    "models.remove_file": "remove_model_file",
    "models.role": "set_role", "models.served": "served_models", "models.test": "test_role",
    "questions.as_csv": "search_documents", "questions.show": "search_documents",
    "research.claim": "claim", "research.export": "export formats",
    "research.graph": "graph",
    "research.log": "fetch events", "research.reader": "reader",
    "research.search": "search",
    "research.show": "fetch status events preview retracted research_sources conversation",
    "research.start": "start quick_search ask",
    "run.again": "again", "run.cancel": "cancel", "run.clarify": "clarify",
    "run.fragment": "status events preview", "run.resume": "resume",
    "settings.backup": "backup", "settings.check": "checks",
    "settings.check_client": "check_sources",
    "settings.clients": "switch_source", "settings.data": "update_data updating_data",
    "settings.index": "settings keys roles model_servers clients data stats",
    "settings.keys": "set_key",
    "settings.new_token": "",  # a program cannot make itself another token
    "settings.save": "set_setting",
    "signin.enter": "", "signin.form": "", "static": "",
    "steer.change": "change", "steer.progress": "changing",
    "steer.revision": "revision", "steer.revisions": "revisions",
    "steer.stop": "stop_change", "steer.work": "changing",
}  # fmt: skip


def test_every_address_of_the_pages_has_its_operations(app: Any) -> None:
    pages = {
        rule.endpoint
        for rule in app.url_map.iter_rules()
        if not rule.endpoint.startswith(("api.", "short."))
    }
    assert pages == set(SAME)
    route_names = {route.name for route in ROUTES}
    assert {name for names in SAME.values() for name in names.split()} <= route_names
    beyond = route_names - {name for names in SAME.values() for name in names.split()}
    # What the terminal has and no page yet
    assert beyond == {
        "works",
        "ask_documents",
        "make_image",
        "describe_image",
        "tools",
        "call_tool",
    }
