/* Files may be dropped anywhere on the page; without this file they are chosen. */
(() => {
  "use strict";
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
    hint.setAttribute("role", "status");
    hint.textContent = `Sending ${input.files.length === 1 ? input.files[0].name : `${input.files.length} files`} …`;
    form.requestSubmit();
  });
  form.addEventListener("submit", () => { for (const button of form.querySelectorAll("button")) button.disabled = true; });
  addEventListener("pageshow", () => { for (const button of form.querySelectorAll("button")) button.disabled = false; });
})();
