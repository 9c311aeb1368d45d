/* Small comforts; every page works without this file. */
(() => {
  "use strict";
  const wide = matchMedia("(min-width: 62em)");
  const all = (selector) => [...document.querySelectorAll(selector)];

  // Wide screens: the sidenote is in view already, so the first tag leads on to the reader.
  addEventListener("click", (event) => {
    const tag = event.target.closest?.("a[data-reader]");
    if (tag && wide.matches && event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey)) {
      event.preventDefault();
      location.href = tag.dataset.reader;
    }
    for (const menu of all("details.menu[open]")) if (!menu.contains(event.target)) menu.open = false;
  });

  // Keys, except while something is being typed.
  const pages = { n: "/", h: "/history", l: "/library", "?": "/help#keyboard" };
  let at = -1;
  const step = (by) => {
    const tags = all(".s .cite:first-of-type").filter((tag) => tag.offsetParent);
    if (!tags.length) return;
    at = Math.min(tags.length - 1, Math.max(0, at + by));
    tags[at].focus();
    tags[at].scrollIntoView({ block: "center" });
  };
  addEventListener("keydown", (event) => {
    const field = event.target.closest?.("input, textarea, select");
    if (field) {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && field.form) field.form.requestSubmit();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") for (const menu of all("details.menu[open]")) menu.open = false;
    else if (event.key === "/") {
      const find = all("main input[type=search], #find").find((input) => input.offsetParent);
      if (find) { event.preventDefault(); find.focus(); }
    } else if (event.key === "j") step(1);
    else if (event.key === "k") step(-1);
    else if (pages[event.key]) location.href = pages[event.key];
  });

  // The contents name the section in view.
  const toc = all(".toc a[href^='#']");
  const parts = toc.map((link) => document.getElementById(link.hash.slice(1))).filter(Boolean);
  if (parts.length && "IntersectionObserver" in window) {
    const mark = () => {
      const line = innerHeight * 0.3;
      let current = parts[0];
      for (const part of parts) if (part.getBoundingClientRect().top <= line) current = part;
      for (const link of toc) {
        if (link.hash.slice(1) === current.id) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
      }
    };
    addEventListener("scroll", () => requestAnimationFrame(mark), { passive: true });
    mark();
  }

  // A link to a source among those not used opens the list that holds it.
  const reveal = () => {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let box = target && target.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
    if (target && target.closest("details")) target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  reveal();

  // Live progress: leave alone what is unchanged or holds the focus, and keep what was opened open.
  addEventListener("htmx:oobBeforeSwap", (event) => {
    const { target, fragment } = event.detail;
    const fresh = fragment?.firstElementChild ?? fragment;
    const same = fresh && target.innerHTML.trim() === (fresh.innerHTML ?? "").trim();
    if (same || target.contains(document.activeElement)) event.detail.shouldSwap = false;
    else for (const box of target.querySelectorAll("details[open][id]")) fresh?.querySelector?.(`#${box.id}`)?.setAttribute("open", "");
  });
  const quiet = (sentence) => {
    const status = document.getElementById("status");
    if (status && status.textContent !== sentence) status.textContent = sentence;
  };
  for (const name of ["htmx:sendError", "htmx:timeout"]) {
    addEventListener(name, () => quiet("The server does not answer. The work goes on; this page tries again."));
  }
  addEventListener("htmx:responseError", () => quiet("The state could not be read just now. This page tries again."));
})();
