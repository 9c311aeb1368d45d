/* The settings and the list of keys as a sheet over the page, so that a half-written question stays where it is.
   Without this file both are pages of their own. */
(() => {
  "use strict";
  const wide = matchMedia("(min-width: 48em)");
  let sheet, body, opener;

  const build = () => {
    sheet = document.createElement("dialog");
    sheet.className = "sheet";
    const bar = document.createElement("div"), close = document.createElement("button");
    bar.className = "sheet-bar";
    close.className = "btn";
    close.type = "button";
    close.textContent = "Close";
    close.addEventListener("click", () => sheet.close());
    bar.append(close);
    body = document.createElement("div");
    sheet.append(bar, body);
    sheet.addEventListener("close", () => { opener?.focus(); body.replaceChildren(); });
    sheet.addEventListener("click", (event) => { if (event.target === sheet) sheet.close(); });
    body.addEventListener("submit", send);
    body.addEventListener("click", within);
    document.body.append(sheet);
  };

  // The main part of a page, without its table of contents
  const show = (html, part) => {
    const page = new DOMParser().parseFromString(html, "text/html");
    const found = (part && page.querySelector(part)) || page.querySelector("main .text");
    if (!found) return false;
    body.replaceChildren(document.importNode(found, true));
    const head = body.querySelector("h1, h2");
    if (head) { head.id ||= "sheet-title"; sheet.setAttribute("aria-labelledby", head.id); }
    sheet.scrollTop = 0;
    return true;
  };

  const reveal = (target) => {
    if (!target) return;
    for (let box = target.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
    target.scrollIntoView();
  };
  // Links within what the sheet shows stay in it
  const within = (event) => {
    const link = event.target.closest?.("a[href^='#']");
    const target = link && body.querySelector(`[id="${CSS.escape(link.hash.slice(1))}"]`);
    if (!target) return;
    event.preventDefault();
    reveal(target);
  };

  const open = async (address, part) => {
    if (!sheet?.open) opener = document.activeElement;
    try {
      const answer = await fetch(address);
      if (!sheet) build();
      if (!answer.ok || answer.redirected || !show(await answer.text(), part)) throw new Error();
      if (!sheet.open) sheet.showModal();
      const place = new URL(address, location.href).hash;
      reveal(place && body.querySelector(place));
    } catch {
      location.href = address;
    }
  };

  // Forms are sent from the sheet; what comes back is shown in it, and what has changed is said there
  const send = async (event) => {
    const form = event.target;
    if (form.method !== "post" || form.enctype === "multipart/form-data") return;
    event.preventDefault();
    const data = new FormData(form, event.submitter);
    const where = form.closest(".part[id]")?.id;
    try {
      const button = event.submitter, target = button?.hasAttribute("formaction") ? button.formAction : form.action;
      const answer = await fetch(target, { method: "POST", body: new URLSearchParams(data) });
      if (!show(await answer.text())) throw new Error();
      const said = body.querySelector("[data-said], [role=alert]") || body.querySelector(".notice") || (where && document.getElementById(where)) || body.querySelector("h1, h2");
      if (!said) return;
      said.tabIndex = -1;  // the button that was pressed is gone, and with it the place of whoever reads by keyboard
      said.focus({ preventScroll: true });
      said.scrollIntoView({ block: "center" });
    } catch {
      body.removeEventListener("submit", send);
      form.requestSubmit(event.submitter);
    }
  };

  addEventListener("click", (event) => {
    const link = event.target.closest?.("a[data-sheet]");
    const plain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    if (!link || !plain || !wide.matches || location.pathname === new URL(link.href).pathname || !window.HTMLDialogElement) return;
    event.preventDefault();
    open(link.href, link.dataset.sheet);
  });
})();
