"""Every route of the JSON interface, once."""

# ruff: noqa: E501 -- one route, one line where it can be

from engine.answers import (
    Check,
    ClientStatus,
    DataList,
    HistoryEntry,
    HistoryPage,
    Imported,
    JobStatus,
    KeyStatus,
    LibraryHit,
    ListUpdate,
    LoggedEvent,
    ReaderPage,
    SettingRow,
)
from engine.comparison import Comparison
from engine.follow_up import FollowUp
from engine.models import Document, Turn
from engine.toolset import OfferedTool
from engine.watching import WatchState
from ui.web.api import models, more, others, research, steering, tools
from ui.web.api.model import Param, Route
from ui.web.api.schema import RECORD, array, object_of
from ui.web.indexing import Indexed

BIG = 2**53 - 1
STATUSES = ("queued", "running", "waiting_for_input", "complete", "partial", "failed", "cancelled")
ACTIONS = ("exclude", "include", "deepen", "rescore", "replay", "recheck")
KINDS = ("academic", "web", "newsroom", "local")

ID = Param("research_id", "path", required=True, help="The name of a research.", length=200)
DOCUMENT = Param("document_id", "path", required=True, help="The name of a document.", length=200)
ROLE = Param("role", "path", required=True, help="A role of /models/roles.", length=60)
SERVER = Param("name", "path", required=True, help="The name of a model server.", length=100)
WAIT = Param("wait", "query", "number", "Seconds to wait for the end.", default=0.0, low=0, high=300)
DONE = object_of(done={"type": "boolean"})
TEXT = {"type": "string"}

# fmt: off
START = (
    Param("query", "body", required=True, help="The question.", length=20_000),
    Param("depth", "body", "integer", "1 quick, 2 balanced, 3 thorough.", low=1, high=3),
    Param("sources", "body", "strings", "Kinds of sources to ask.", choices=KINDS),
    Param("documents", "body", "strings", "Names of documents that may be used; left out: all.", length=200),
    Param("clarify", "body", "boolean", "Ask when a name is ambiguous.", default=False),
    Param("since", "body", help="Published on or after this date, 2024-05-31."),
    Param("until", "body", help="Published on or before this date."),
    Param("sites", "body", "strings", "Only these sites."),
    Param("exclude_sites", "body", "strings", "Not these sites."),
    Param("lang", "body", help="Language of the sources.", length=20),
    Param("urls", "body", "strings", "Addresses to read first.", length=2000),
    Param("offline", "body", "boolean", "Use no network.", default=False),
    Param("lean", "body", "boolean", "Fetch nothing: abstracts and documents only.", default=False),
    WAIT,
)
SEARCH = (
    Param("q", "query", help="Words to look for."),
    Param("status", "query", "strings", "Only these states.", choices=STATUSES),
    Param("starred", "query", "boolean", "Only starred ones.", default=False),
    Param("tag", "query", help="Only with this tag."),
    Param("source_type", "query", help="Only with sources of this kind.", choices=KINDS),
    Param("kind", "query", help="Only this kind of record.", choices=("research", "search", "ask")),
    Param("min_confidence", "query", "number", "Overall confidence from.", low=0, high=1),
    Param("since", "query", help="Begun on or after this date."),
    Param("until", "query", help="Begun on or before this date."),
    Param("sort", "query", help="Order.", choices=("newest", "oldest", "best", "confidence")),
    Param("bin", "query", "boolean", "Deleted ones.", default=False),
    Param("limit", "query", "integer", "Entries on a page.", default=20, low=1, high=100),
    Param("before", "query", help="`next` of the page before."),
)

ROUTES = (
    Route("GET", "/health", "health", "Whether the server answers.", others.health, {200: object_of(status=TEXT, version=TEXT)}),
    Route("GET", "/research", "search", "Search past researches.", research.search, {200: HistoryPage}, SEARCH),
    Route("POST", "/research", "start", "Start a research. 202 with its status; with `wait`, 200 with the record when it is done in time.",
          research.start, {202: JobStatus, 200: RECORD}, START),
    Route("GET", "/research/<research_id>", "fetch", "The record of a finished research, or the status of one that goes on.",
          research.fetch, {200: RECORD, 202: JobStatus}, (ID, WAIT)),
    Route("DELETE", "/research/<research_id>", "delete", "Move to the bin, or delete for good.", research.delete, {200: DONE},
          (ID, Param("now", "query", "boolean", "For good.", default=False))),
    Route("POST", "/research/<research_id>/undelete", "undelete", "Take out of the bin.", research.undelete, {200: DONE}, (ID,)),
    Route("GET", "/research/<research_id>/status", "status", "How far a research is.", research.status, {200: JobStatus}, (ID, WAIT)),
    Route("GET", "/research/<research_id>/events", "events", "Progress events after a number.", research.events,
          {200: object_of(events=array(LoggedEvent), next={"type": "integer"})},
          (ID, Param("after", "query", "integer", "Number of the last event that is known.", default=0, low=0, high=BIG),
           Param("limit", "query", "integer", "Most events.", default=500, low=1, high=500))),
    Route("POST", "/research/<research_id>/cancel", "cancel", "Stop and keep what was found.", research.cancel, {200: JobStatus}, (ID,)),
    Route("POST", "/research/<research_id>/clarify", "clarify", "Answer the question of a waiting research.", research.clarify,
          {200: JobStatus}, (ID, Param("answer", "body", required=True, help="A number of the choices, or words.", length=1000))),
    Route("POST", "/research/<research_id>/resume", "resume", "Go on with an interrupted research.", research.resume, {200: JobStatus},
          (ID, Param("force", "body", "boolean", "Also after three failures.", default=False))),
    Route("PUT", "/research/<research_id>/marks", "marks", "Set star, tags, note; what is left out stays.", research.marks, {200: DONE},
          (ID, Param("starred", "body", "boolean"), Param("tags", "body", "strings", length=60), Param("note", "body", length=20_000))),
    Route("GET", "/research/<research_id>/sources", "research_sources", "The sources of a finished research.", research.sources,
          {200: array({"type": "object"})}, (ID,)),
    Route("POST", "/research/<research_id>/again", "again", "The same question anew, or one step deeper.", more.again, {202: JobStatus},
          (ID, Param("deeper", "body", "boolean", "One depth more.", default=False))),
    Route("POST", "/research/<research_id>/follow", "follow", "Ask about a finished research; answered from its stored texts and kept in its record.",
          more.follow, {200: FollowUp}, (ID, Param("question", "body", required=True, help="The question.", length=20_000))),
    Route("GET", "/research/<research_id>/conversation", "conversation", "What was asked afterwards, with the answers.", more.conversation,
          {200: array(Turn)}, (ID,)),
    Route("POST", "/research/<research_id>/further", "further", "Search for a question on the same record; its end is a new revision.", more.further,
          {202: JobStatus}, (ID, Param("question", "body", required=True, help="The question.", length=20_000))),
    Route("POST", "/research/<research_id>/change", "change", "Change or check a finished research in the background; a change is a new revision.",
          steering.change, {202: steering.Change},
          (ID, Param("action", "body", required=True, help="What to do.", choices=ACTIONS),
           Param("source", "body", help="For exclude and include: tag, id or address of a source, or the name of a document.", length=2000),
           Param("wait", "query", "number", "Seconds to wait for the end.", default=0.0, low=0, high=300))),
    Route("GET", "/research/<research_id>/change", "changing", "How far that is, or what came of it.", steering.newest, {200: steering.Change}, (ID,)),
    Route("DELETE", "/research/<research_id>/change", "stop_change", "Stop it; the research stays as it was.", steering.stop, {200: steering.Change}, (ID,)),
    Route("GET", "/research/<research_id>/revisions", "revisions", "The numbers of all revisions, the current one last.", steering.revisions,
          {200: array({"type": "integer"})}, (ID,)),
    Route("GET", "/research/<research_id>/revisions/<number>", "revision", "The record of a revision.", steering.revision, {200: RECORD},
          (ID, Param("number", "path", "integer", required=True, low=1, high=BIG))),
    Route("GET", "/related", "related", "Finished researches on a related question, the nearest first.", steering.related, {200: array(HistoryEntry)},
          (Param("q", "query", required=True, help="The question.", length=20_000),
           Param("limit", "query", "integer", "Most entries.", default=3, low=1, high=20))),
    Route("GET", "/research/<research_id>/sources/<source_id>", "reader", "The stored text of a source, cut at the passages used.",
          research.reader, {200: ReaderPage}, (ID, Param("source_id", "path", required=True, length=200))),
    Route("GET", "/research/<research_id>/graph", "graph", "Who cites whom.", research.graph,
          {200: object_of(nodes=array({"type": "object"}), edges=array(object_of(source=TEXT, cites=TEXT)))}, (ID,)),
    Route("GET", "/research/<research_id>/export/<format>", "export", "The research as a file.", others.health, {200: None},
          (ID, Param("format", "path", required=True, help="A name of /formats.", length=40))),
    Route("POST", "/import", "import", "Bring in one exported record; nothing is overwritten.", more.bring_in, {201: Imported}, upload=True),
    Route("GET", "/compare", "compare", "Two finished researches side by side.", more.compare, {200: Comparison},
          (Param("a", "query", required=True, help="The one research.", length=200),
           Param("b", "query", required=True, help="The other one.", length=200))),
    Route("GET", "/formats", "formats", "Export formats.", others.formats, {200: array(object_of(name=TEXT, label=TEXT, suffix=TEXT))}),
    Route("GET", "/jobs", "jobs", "Researches that run or wait.", research.jobs, {200: array(JobStatus)},
          (Param("over", "query", "boolean", "Finished ones too.", default=False),)),
    Route("GET", "/library", "documents", "The user's documents.", others.documents, {200: array(Document)}),
    Route("POST", "/library/documents", "upload", "Add files.", others.upload,
          {201: object_of(documents=array(Document), failed=array(object_of(name=TEXT, reason=TEXT)))}, upload=True),
    Route("GET", "/library/documents/<document_id>", "document", "A document and its text.", others.document_text,
          {200: object_of(document=Document, text=TEXT)}, (DOCUMENT,)),
    Route("DELETE", "/library/documents/<document_id>", "remove_document", "Remove a document; its file stays.",
          others.remove_document, {200: DONE}, (DOCUMENT,)),
    Route("GET", "/library/search", "search_documents", "Search inside the documents.", others.search_documents,
          {200: array(LibraryHit)}, (Param("q", "query", required=True, help="Words to look for."),
                                     Param("limit", "query", "integer", "Most passages.", default=20, low=1, high=100))),
    Route("GET", "/library/folders", "folders", "Folders that are read.", others.folders, {200: array(TEXT)}),
    Route("POST", "/library/folders", "add_folder", "Add a folder and begin to read it.", more.add_folder, {202: Indexed},
          (Param("path", "body", required=True, help="A folder of the computer the server runs on.", length=4000),)),
    Route("POST", "/library/refresh", "refresh", "Look through all folders again.", more.refresh, {202: Indexed}),
    Route("GET", "/library/reading", "reading", "How far the reading is.", more.reading, {200: Indexed}),
    Route("GET", "/library/watch", "watching", "Whether the folders are watched.", more.watching, {200: WatchState}),
    Route("PUT", "/library/watch", "watch", "Watch the folders, or stop.", more.watch, {200: WatchState},
          (Param("on", "body", "boolean", required=True),)),
    Route("GET", "/settings", "settings", "All settings, without secrets.", others.settings, {200: array(SettingRow)}),
    Route("PUT", "/settings/<name>", "set_setting", "Change a setting.", others.set_setting, {200: SettingRow},
          (Param("name", "path", required=True, length=100), Param("value", "body", required=True, length=4000))),
    Route("GET", "/keys", "keys", "Which keys are set, masked.", others.keys, {200: array(KeyStatus)}),
    Route("PUT", "/keys/<name>", "set_key", "Set a key; an empty value removes it. It can never be read back.", others.set_key, {200: DONE},
          (Param("name", "path", required=True, length=100), Param("value", "body", required=True, length=4000))),
    Route("GET", "/models/roles", "roles", "Which model answers for which role.", models.roles, {200: array(models.ModelRole)}),
    Route("PUT", "/models/roles/<role>", "set_role", "Give a role a model of a server, by its name or address; an empty model takes it away.", models.set_role,
          {200: array(models.ModelRole)}, (ROLE, Param("model", "body", required=True, length=200), Param("endpoint", "body", length=2000))),
    Route("POST", "/models/roles/<role>/test", "test_role", "Ask the model of a role for one word; answers with the class of the result.", models.test,
          {200: models.ModelTest}, (ROLE,)),
    Route("POST", "/models/detect", "detect_models", "Look for model servers on this computer.", models.detect, {200: array(models.LocalServer)}),
    Route("GET", "/models/servers", "model_servers", "Model servers, without their keys.", models.servers, {200: array(models.ModelServer)}),
    Route("PUT", "/models/servers/<name>", "set_model_server", "Add a model server, or change one.", models.set_server, {200: array(models.ModelServer)},
          (SERVER, Param("url", "body", required=True, length=2000), Param("provider", "body", choices=("openai", "anthropic", "ollama")),
           Param("key_name", "body", help="Name of the secret it is sent.", length=100))),
    Route("DELETE", "/models/servers/<name>", "remove_model_server", "Forget a model server of your own.", models.remove_server, {200: DONE}, (SERVER,)),
    Route("GET", "/models/servers/<name>/models", "served_models", "The models that a server lists.", models.served, {200: array(TEXT)}, (SERVER,)),
    Route("GET", "/sources", "clients", "Source clients and their state.", others.clients, {200: array(ClientStatus)}),
    Route("POST", "/sources/check", "check_sources", "One live question to each client that is on, or to those named.",
          more.check_sources, {200: array(ClientStatus)}, (Param("names", "body", "strings", length=60),)),
    Route("GET", "/data", "data", "The lists that credibility rests on.", more.data_lists, {200: array(DataList)}),
    Route("POST", "/data/update", "update_data", "Load those lists anew.", more.update_data, {200: array(ListUpdate)}),
    Route("GET", "/tools", "tools", "Tools that look or research, with the schema of their arguments.", tools.listed, {200: array(OfferedTool)}),
    Route("POST", "/tools/<name>", "call_tool", "The answer of a tool as text. A whole research takes minutes; POST /research waits better.", tools.called,
          {200: object_of(text=TEXT)}, (Param("name", "path", required=True, help="A name of /tools.", length=100),
                                        Param("arguments", "body", "object", "What the tool's schema asks for."))),
    Route("GET", "/stats", "stats", "Counts and sizes.", others.stats, {200: {"type": "object"}}),
    Route("GET", "/checks", "checks", "What `zorora doctor` finds.", others.checks, {200: array(Check)}),
    Route("POST", "/backup", "backup", "Back up the database.", others.backup, {201: object_of(file=TEXT)}),
)
# fmt: on
