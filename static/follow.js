/* A question about the report is answered on the page, sentence by sentence; without this file the page loads again. */
(() => {
  "use strict";
  const form = document.querySelector("form.follow"), turns = document.getElementById("turns");
  if (!form || !turns || !window.ReadableStream) return;

  const made = (name, text, className) => {
    const element = document.createElement(name);
    element.textContent = text;
    if (className) element.className = className;
    return element;
  };

  // The place of the answer: its height is kept, so that little moves when words come
  const place = (question) => {
    const box = made("div", "", "turn coming"), head = made("h2", question, "asked"), words = made("p", ""), prose = made("div", "", "prose");
    const state = made("p", form.dataset.waiting || "Reading the sources of this report. ", "meta"), stop = made("button", "Stop", "plain");
    head.dir = words.dir = "auto";
    state.setAttribute("role", "status");
    stop.type = "button";
    state.append(stop);
    prose.append(words);
    box.append(head, state, prose);
    turns.append(box);
    turns.classList.remove("empty");
    box.scrollIntoView({ block: "start" });
    return { box, words, state, stop };
  };

  // Whole events of a text, and what is left of it
  const cut = (text) => {
    const parts = text.split("\n\n"), rest = parts.pop();
    const events = parts.map((part) => {
      const name = /^event: (.*)$/m.exec(part), data = /^data: (.*)$/m.exec(part);
      return name && data ? [name[1], JSON.parse(data[1])] : null;
    });
    return [events.filter(Boolean), rest];
  };

  const finish = (at, html) => {
    const page = new DOMParser().parseFromString(html, "text/html"), turn = page.querySelector(".turn");
    if (!turn) return;
    turn.classList.add("fresh");
    at.box.replaceWith(document.importNode(turn, true));
  };
  const fail = (at, sentence) => { at.state.textContent = sentence; at.box.classList.remove("coming"); };

  form.addEventListener("submit", async (event) => {
    if (event.submitter?.value) return;
    event.preventDefault();
    const field = form.elements.q, question = field.value.trim();
    if (!question || form.dataset.busy) return;
    form.dataset.busy = "1";
    const at = place(question), leave = new AbortController();
    at.stop.addEventListener("click", () => leave.abort());
    try {
      const answer = await fetch(form.action, {
        method: "POST", body: new URLSearchParams(new FormData(form)), headers: { Accept: "text/event-stream" }, signal: leave.signal,
      });
      if (!answer.ok || !(answer.headers.get("Content-Type") || "").startsWith("text/event-stream")) {
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        throw new Error(page.querySelector("main .text p")?.textContent || "The question could not be sent. Reload the page.");
      }
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "", ended = false;
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        const [events, left] = cut(rest + value);
        rest = left;
        for (const [name, data] of events) {
          if (name === "piece") at.words.textContent += data;
          else if (name === "step") at.state.firstChild.data = `${data} `;
          else { ended = true; if (name === "done") { finish(at, data); field.value = ""; } else fail(at, data); }
        }
      }
      if (!ended) fail(at, "The answer was interrupted. Reload the page to see whether it was kept.");
    } catch (problem) {
      if (leave.signal.aborted) at.box.remove();
      else fail(at, problem.message || "The server does not answer.");
    } finally {
      delete form.dataset.busy;
    }
  });
})();
