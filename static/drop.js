/* The library: files may be dropped anywhere on the page, and folders are proposed while a path is typed. */
(() => {
  "use strict";
  const path = document.querySelector("input[data-folders]");
  if (path) {
    let wait = 0, asked = "";
    const propose = async () => {
      asked = path.value;
      const answer = await fetch(`${path.dataset.folders}?${new URLSearchParams({ path: asked })}`).catch(() => null);
      if (!answer?.ok || asked !== path.value) return;
      const lines = (await answer.text()).split("\n").filter(Boolean);
      path.list.replaceChildren(...lines.map((line) => new Option("", line)));
    };
    path.addEventListener("input", () => { clearTimeout(wait); wait = setTimeout(propose, 120); });
  }
  const input = document.querySelector("input[type=file][data-drop]");
  if (!input) return;
  const form = input.form, place = input.closest("p");
  const hint = document.createElement("span");
  hint.className = "hint";
  hint.textContent = "Or drop files anywhere on this page.";
  place.append(hint);
  place.classList.add("drop");
  let depth = 0; // dragenter and dragleave come for every element on the way
  const over = (on) => place.classList.toggle("over", on);
  const files = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  addEventListener("dragenter", (event) => { if (files(event)) { depth += 1; over(true); } });
  addEventListener("dragleave", (event) => { if (files(event)) { depth = Math.max(0, depth - 1); if (!depth) over(false); } });
  addEventListener("dragover", (event) => { if (files(event)) event.preventDefault(); });
  addEventListener("drop", (event) => {
    if (!files(event)) return;
    event.preventDefault();
    depth = 0;
    over(false);
    if (!event.dataTransfer.files.length) return;
    input.files = event.dataTransfer.files;
    form.requestSubmit();
  });
  // What the server would refuse as a whole is said at once, before minutes of sending
  const refused = (chosen) => {
    const most = Number(input.dataset.files || Infinity), mb = Number(input.dataset.mb || Infinity);
    if (chosen.length > most) return `${chosen.length} files are too many for one upload. Send up to ${most} at once, or add their folder.`;
    const total = chosen.reduce((sum, file) => sum + file.size, 0) / 1048576;
    return total > mb ? `These files have ${Math.ceil(total)} MB together; one upload may have ${mb} MB. Send fewer at once, or add their folder.` : "";
  };
  form.addEventListener("submit", (event) => {
    const chosen = [...input.files], problem = refused(chosen);
    hint.setAttribute("role", problem ? "alert" : "status");
    hint.textContent = problem || `Sending ${chosen.length === 1 ? chosen[0].name : `${chosen.length} files`} …`;
    if (problem) event.preventDefault();
    else for (const button of form.querySelectorAll("button")) button.disabled = true;
  });
  addEventListener("pageshow", () => { for (const button of form.querySelectorAll("button")) button.disabled = false; });
})();
