/* A source beside the text, at the passage; without this file the same links lead to the reader. */
(() => {
  "use strict";
  const main = document.getElementById("main"), text = main?.querySelector("article.text");
  if (!text || !document.getElementById("answer")) return;
  const places = () => [...text.querySelectorAll(".from .doc a, .s .cite, .cards :is(h3, h4) a")].filter((link) => address(link) && link.offsetParent);
  const address = (link) => link.dataset.reader || (link.pathname.includes("/source/") ? link.href : "");
  const kept = new Map();
  const wide = matchMedia("(min-width: 62em)");
  let pane = null, current = null, here = "";

  const made = (name, className, words) => {
    const element = document.createElement(name);
    if (className) element.className = className;
    if (words) element.textContent = words;
    return element;
  };
  const button = (words, key, act) => {
    const element = made("button", "plain", words + " ");
    element.type = "button";
    element.append(made("kbd", "", key));
    element.addEventListener("click", act);
    return element;
  };

  const page = async (url) => {
    const name = url.split("#")[0];
    if (!kept.has(name)) {
      const answer = await fetch(name);
      if (!answer.ok) throw new Error("The source could not be opened.");
      kept.set(name, new DOMParser().parseFromString(await answer.text(), "text/html"));
    }
    return kept.get(name);
  };

  // The text of a source with the passage marked apart; its names would be those of the page
  const excerpt = (from, url) => {
    const anchor = decodeURIComponent(url.split("#")[1] || "");
    const snap = document.importNode(from.querySelector(".snap"), true);
    const start = anchor && snap.querySelector(`[id="${CSS.escape(anchor)}"]`);
    let target = start?.matches("mark") ? start : start?.nextElementSibling;
    while (target && !target.matches("mark")) target = target.nextElementSibling;
    target?.classList.add("target");
    target?.closest("p")?.classList.add("here");
    for (const one of snap.querySelectorAll(".note, .cite")) one.remove();
    for (const one of snap.querySelectorAll("[id]")) one.removeAttribute("id");
    for (const one of snap.querySelectorAll("a[href^='?']")) one.href = url.split("#")[0].split("?")[0] + one.getAttribute("href");
    snap.classList.remove("lede");
    return [snap, target];
  };

  // The mark stands in the text of the report as well, as after the page is loaded anew
  const markInText = (link, words) => {
    const place = link.closest(".s[id], .passages > li[id], .cards > li"), before = place?.querySelector(".ev, .doc, .cards blockquote:last-of-type, blockquote");
    let mark = place?.querySelector(".mine");
    if (!words || !before) { mark?.remove(); return; }
    if (!mark) { mark = made(place.matches(".s") ? "span" : "p", "mine"); before.after(mark); }
    mark.textContent = words;
  };

  // The form of the reader page, for the sentence that was clicked; its answer is the page with the new mark
  const checkOf = (from, link, url) => {
    const name = link.closest(".s[id], .passages > li[id], .cards blockquote[id], .cards > li")?.id || "";
    const found = name && [...from.querySelectorAll("form.check-it")].find((form) => form.dataset.use === name);
    if (!found) return "";
    const form = document.importNode(found, true);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const given = new FormData(form, event.submitter);
      const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(given) }).catch(() => null);
      if (!answer?.ok) { form.append(made("p", "notice", "Not saved. Reload the page and try again.")); return; }
      const came = new DOMParser().parseFromString(await answer.text(), "text/html");
      kept.set(url.split("#")[0], came);
      markInText(link, given.get("mark") === given.get("was") ? "" : event.submitter.dataset.words);
      const next = checkOf(came, link, url);
      form.replaceWith(next);
      next.querySelector?.(`button[value="${given.get("mark")}"]`)?.focus();
    });
    return form;
  };

  const show = async (link) => {
    const url = address(link), from = await page(url), before = link.getBoundingClientRect().top;
    if (!from.querySelector(".snap")) { location.href = url; return; }
    const links = places(), number = links.indexOf(link), [snap, target] = excerpt(from, url);
    const head = made("header", "pane-head"), top = made("p", "pane-top meta"), title = made("h2"), whole = made("a", "", from.querySelector("h1").textContent);
    whole.href = url;
    title.append(whole);
    title.dir = "auto";
    top.append(made("span", "", `Passage ${number + 1} of ${links.length}`), button("Close", "Esc", close));
    head.append(title, document.importNode(from.querySelector(".opening .dots"), true));
    const foot = made("div", "pane-foot"), steps = made("p", "steps-nav");
    steps.append(button("Previous", "k", () => step(-1)), button("Next", "j", () => step(1)));
    foot.append(checkOf(from, link, url), steps);
    if (!pane) {
      pane = made("aside", "pane");
      pane.tabIndex = 0;
      pane.setAttribute("aria-label", "The source of the passage");
      main.append(pane);
      main.classList.add("beside");
      here = location.href;
      if (!history.state?.pane) history.pushState({ pane: true }, "");
    }
    current?.removeAttribute("aria-current");
    current = link;
    current.setAttribute("aria-current", "true");
    pane.replaceChildren(top, head, snap, foot);
    // The text stays where it was; under a sheet, what was clicked goes to the top
    scrollBy({ top: link.getBoundingClientRect().top - (wide.matches ? before : 16), behavior: "instant" });
    pane.scrollTop = 0;
    if (target) pane.scrollTop = target.getBoundingClientRect().top - pane.getBoundingClientRect().top - pane.clientHeight / 3;
  };
  const open = (link) => show(link).catch(() => { location.href = address(link); });
  const step = (by) => {
    const links = places(), link = links[links.indexOf(current) + by];
    if (!link) return;
    link.scrollIntoView({ block: "center", behavior: "instant" });
    open(link);
  };
  const close = () => {
    const at = scrollY, isOwn = pane && history.state?.pane;
    shut();
    if (!isOwn) return;
    // The place of the text stays, also where it was moved since
    addEventListener("popstate", () => requestAnimationFrame(() => scrollTo({ top: at, behavior: "instant" })), { once: true });
    history.back();
  };
  const shut = () => {
    pane?.remove();
    pane = null;
    main.classList.remove("beside");
    current?.removeAttribute("aria-current");
    current?.focus();
  };

  addEventListener("click", (event) => {
    const link = event.target.closest?.("a");
    if (!link || !text.contains(link) || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (!places().includes(link) || (link.dataset.reader && !wide.matches)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    open(link);
  }, true);
  // Back closes the pane and stays on the page; a link within the page leaves it open
  addEventListener("popstate", () => {
    if (pane && !history.state?.pane && location.href === here) shut();
  });
  addEventListener("keydown", (event) => {
    if (!pane || event.target.closest?.("input, textarea, select") || document.querySelector("dialog[open]")) return;
    const act = { Escape: close, j: () => step(1), k: () => step(-1) }[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    act();
  }, true);
})();
