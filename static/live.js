/* Live pages: what HTMX replaces, and what it must leave alone. */
(() => {
  "use strict";
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
    addEventListener(name, () => quiet("The server does not answer. The work continues; this page keeps trying."));
  }
  addEventListener("htmx:responseError", () => quiet("The state could not be read just now. This page keeps trying."));

  // Lists that scroll stay where the reader left them.
  const places = new Map();
  const boxes = () => [...document.querySelectorAll(".box[aria-label]")];
  addEventListener("htmx:beforeOnLoad", () => { for (const box of boxes()) places.set(box.ariaLabel, box.scrollTop); });
  addEventListener("htmx:afterOnLoad", () => {
    for (const box of boxes()) if (places.get(box.ariaLabel)) box.scrollTop = places.get(box.ariaLabel);
    const phase = document.querySelector("#phases [aria-current]")?.textContent.trim()[0];
    if (phase) document.title = `${phase}/6 ${document.title.replace(/^\d\/6 /, "")}`;
  });

  // A notification when the report is done, where somebody asks for it.
  const tell = document.getElementById("tell");
  if (tell && window.Notification?.permission === "default") {
    tell.classList.remove("unready");
    tell.addEventListener("click", async () => {
      await Notification.requestPermission();
      tell.classList.add("unready");
      document.getElementById("main").focus?.();
    });
  }
})();
