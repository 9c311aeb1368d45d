"""What both interfaces do with models: list roles and servers, change them, look for local ones,
test."""

from dataclasses import replace
from pathlib import Path

from engine.home import prepare
from engine.llm import model_endpoints, model_files, model_roles
from engine.llm.about_models import EndpointStatus, FoundServer, RoleStatus
from engine.llm.endpoint_names import LOCAL
from engine.llm.model_files import ModelFile
from engine.maintenance.data_update import Progress
from engine.resources import Opened
from tools.errors import ConfigError
from tools.model_manifest import Offer, offers
from tools.models import detect
from tools.models.detect import TestResult
from tools.models.roles import FOR_ITSELF, REASONING


class ModelSettings:
    """ResearchEngine.models. Changes are in force at once, for new researches."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    def roles(self) -> list[RoleStatus]:
        """Every role and who answers for it."""
        return model_roles.statuses(self._opened.config)

    def endpoints(self) -> list[EndpointStatus]:
        """The model servers, known by name or of the user's own, and the roles that use them."""
        users: dict[str, tuple[str, ...]] = {}
        for status in self.roles():
            if status.origin == "configured":
                users[status.endpoint] = (*users.get(status.endpoint, ()), status.role)
        return model_endpoints.statuses(self._opened.config, users)

    def set_role(self, role: str, endpoint: str, model: str, provider: str = "") -> None:
        """Give a role a model of an endpoint (a name or an address); an empty model takes it away.
        ConfigError."""
        model_roles.set_role(self._opened.config, role, endpoint, model, provider)
        self._opened.reload()

    def add_endpoint(
        self, name: str, url: str, provider: str = "", key_name: str = "", *, by_page: bool = False
    ) -> None:
        """Add a model server, or change one. ConfigError when a part of it cannot be.

        by_page: a page asks for it, so the key must be one that is stored; none of the environment
        is sent there.
        """
        model_endpoints.add(self._opened.config, name, url, provider, key_name, by_page=by_page)
        self._opened.reload()

    def remove_endpoint(self, name: str) -> None:
        """Forget a server of the user's; a built-in one returns to what it was. NotFound; Conflict
        while it is used."""
        model_endpoints.remove(self._opened.config, name)
        self._opened.reload()

    def detect(self) -> list[FoundServer]:
        """The local servers that run now, with their models; takes a second at most. None while
        nothing may be asked."""
        if self._opened.config.offline:
            return []
        return detect.detect(model_roles.wire(self._opened.config))

    def served(self, endpoint: str) -> list[str]:
        """The models an endpoint (a name or an address) lists, those for conversation first.
        ModelError when it cannot be asked."""
        entry = model_endpoints.endpoint(self._opened.config, endpoint)
        if entry.provider == LOCAL:
            return []
        wire = model_roles.wire(self._opened.config)
        return [model.name for model in detect.listed(wire, entry)]

    def test(self, role: str) -> TestResult:
        """Ask the model of a role for one word. ConfigError when nobody answers for it."""
        model_roles.check_role(role)
        role_model = model_roles.role_of(self._opened.config, role)
        if role_model is None and role not in FOR_ITSELF:
            role_model = model_roles.role_of(self._opened.config, REASONING)
        if role_model is None:
            raise ConfigError(
                f"No model is set for {role}. `zorora models set {role} ENDPOINT MODEL` sets one."
            )
        if role in FOR_ITSELF:  # making a picture to see whether it works would cost money
            return detect.test_listing(model_roles.wire(self._opened.config), role_model)
        return detect.test(self._opened.tools.models, replace(role_model, name=role))

    def offers(self, role: str = "") -> list[Offer]:
        """The models that can be downloaded by name, for a role (reader, judge, writer) or for
        all."""
        return offers(role)

    def files(self) -> list[ModelFile]:
        """The installed models that run inside the process."""
        return model_files.files(self._opened.config)

    def find_file(self, role: str, name: str = "", place: str = "", sha256: str = "") -> Offer:
        """The model to download: by its name, the recommended one, or the user's own at `place`.
        NotFound."""
        return model_files.custom(role, place, sha256) if place else model_files.find(role, name)

    def get_file(
        self,
        offer: Offer,
        progress: Progress = lambda *progress: None,
    ) -> ModelFile:
        """Download a model, try it, and install it; a writer is then used for `reasoning`, where no
        model was set.

        progress: title, bytes received, bytes in all, None. Raises ModelError, Refused,
        StorageError, Conflict; the old model stays then.
        """
        before = self._file_roles()
        installed = model_files.get(self._opened.config, self._opened.tools.net, offer, progress)
        if offer.role == "writer":
            free = not any(
                role.origin == "configured" and role.role == "reasoning" for role in self.roles()
            )
            for role in before or (["reasoning"] if free else []):
                self.set_role(role, "local", installed.path)
        self._opened.reload()
        return installed

    def remove_file(self, role: str) -> ModelFile:
        """Remove an installed model; roles that used it have no model then. NotFound."""
        roles = self._file_roles() if role == "writer" else []
        file = model_files.remove(self._opened.config, role)
        for name in roles:
            self.set_role(name, "", "")
        self._opened.reload()
        return file

    def _file_roles(self) -> list[str]:
        """The roles that use the installed writer."""
        paths = {file.path for file in self.files() if file.role == "writer"}
        return [
            role.role
            for role in self.roles()
            if role.origin == "configured" and role.model in paths
        ]

    def to_offer(self) -> FoundServer | None:
        """A local server to offer at the first start: one that runs, while no role has a model and
        nobody was asked."""
        if self._offered_file.exists() or any(role.origin == "configured" for role in self.roles()):
            return None
        return next((server for server in self.detect() if server.models), None)

    def offered(self) -> None:
        """Note that the offer was made; it is not made again."""
        prepare(self._opened.config.paths)
        self._offered_file.touch(mode=0o600)

    @property
    def _offered_file(self) -> Path:
        return self._opened.config.paths.home / "models_offered"
