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
  const pages = { n: "/", h: "/history", l: "/library", c: "/compare" };
  let at = -1;
  const step = (by) => {
    const tags = all(".s .cite:first-of-type, .from .doc a").filter((tag) => tag.offsetParent);
    if (!tags.length) return;
    at = Math.min(tags.length - 1, Math.max(0, at + by));
    tags[at].focus();
    tags[at].scrollIntoView({ block: "center" });
  };
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") for (const menu of all("details.menu[open]")) {
      if (menu.contains(document.activeElement)) menu.firstElementChild.focus();  // else it would stay on what is hidden
      menu.open = false;
    }
    const field = event.target.closest?.("input, textarea, select");
    if (field) {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && field.form) field.form.requestSubmit();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.key === "/") {
      const find = all("main input[type=search], #find").find((input) => input.offsetParent);
      if (find) { event.preventDefault(); find.focus(); }
    } else if (event.key === "j") step(1);
    else if (event.key === "k") step(-1);
    else if (event.key === "?") document.getElementById("shortcuts")?.click();
    else if (event.key === ",") document.querySelector("a[data-sheet='']")?.click();
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
  const named = () => { try { return decodeURIComponent(location.hash.slice(1)); } catch { return ""; } };
  const reveal = () => {
    const target = document.getElementById(named()), whole = document.querySelector("a[data-everything]");
    if (!target && whole && /^(q\d|src-)/.test(named())) { location.replace(whole.pathname + whole.search + location.hash); return; }
    for (let box = target && target.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
    if (target && target.closest("details")) target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  reveal();

  // After a form the same page comes again: what is said about it gets the focus; where nothing is said, the button that
  // was pressed, at the same place of the page.
  const left = "zorora-left", page = () => location.pathname + location.search;
  const same = (form, given) => form.getAttribute("action") === given.action;
  addEventListener("submit", (event) => {
    const form = event.target, button = event.submitter;
    if (event.defaultPrevented || form.method !== "post" || form.closest("dialog")) return;
    const given = { page: page(), action: form.getAttribute("action"), y: scrollY, name: button?.name || "", value: button?.value || "" };
    sessionStorage.setItem(left, JSON.stringify(given));
  });
  const given = JSON.parse(sessionStorage.getItem(left) || "null"), said = document.querySelector("main :is(.notice[data-said], .notice[role=alert])");
  sessionStorage.removeItem(left);
  if (given && said) {
    const tell = () => { said.focus({ preventScroll: true }); said.scrollIntoView({ block: "center", behavior: "instant" }); };
    said.tabIndex = -1;
    tell();
    // An address that names a place of the page takes the focus there once the page has come
    addEventListener("load", () => setTimeout(tell), { once: true });
  } else if (given && given.page === page() && !location.hash) {
    const buttons = all("form button, button[form]").filter((one) => one.form && same(one.form, given) && one.name === given.name);
    const button = buttons.find((one) => one.value === given.value) || (buttons.length === 1 ? buttons[0] : null);
    button?.focus({ preventScroll: true });
    scrollTo({ top: given.y, behavior: "instant" });
  }

  // Copies the address of the page, or the file that the button names
  addEventListener("click", async (event) => {
    const button = event.target.closest?.("button[data-copy]");
    if (!button) return;
    const words = button.textContent, name = button.dataset.copy;
    try {
      const text = name ? await (await fetch(name)).text() : location.origin + location.pathname;
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch { button.textContent = "Not copied"; }
    setTimeout(() => { button.textContent = words; }, 2000);
  });

  // Where a PDF is asked for and cannot be made here, the browser prints, with everything that is folded
  if (document.querySelector("[data-print]")) {
    for (const fold of all("details.fold")) fold.open = true;
    addEventListener("load", () => setTimeout(() => print()), { once: true });
  }

  // A form that only filters does so as it is filled in
  const live = document.querySelector("form[data-live]");
  if (live) {
    let wait = 0, number = 0;
    const load = async () => {
      const mine = ++number, address = `${live.action}?${new URLSearchParams(new FormData(live))}`;
      const answer = await fetch(address).catch(() => null);
      if (!answer?.ok || mine !== number) return;
      const came = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-results]");
      if (!came) return;
      document.querySelector("[data-results]").replaceWith(came);
      history.replaceState(null, "", address);
    };
    // The field of a search stands outside of its form
    addEventListener("input", (event) => {
      if (event.target.form === live) { clearTimeout(wait); wait = setTimeout(load, 250); }
    });
  }

  // A report that was watched is done: say so in the title of a hidden tab, and aloud where that was asked for.
  const main = document.getElementById("main");
  const watched = "zorora-watched";
  if (main?.dataset.watch) sessionStorage.setItem(watched, main.dataset.watch);
  else if (main?.dataset.done && sessionStorage.getItem(watched) === main.dataset.done) {
    sessionStorage.removeItem(watched);
    if (document.hidden) {
      const title = document.title;
      document.title = `Ready: ${title}`;
      addEventListener("visibilitychange", () => { document.title = title; }, { once: true });
      if (window.Notification?.permission === "granted") {
        const said = new Notification("Zorora: the report is ready", { body: title.replace(/ · Zorora$/, ""), tag: main.dataset.done });
        said.addEventListener("click", () => { window.focus(); said.close(); });
      }
    }
  }
})();
