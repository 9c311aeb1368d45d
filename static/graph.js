/* The citation graph: zoom, pan, drag, keys, and filters without loading the page. The page works without this file. */
(() => {
  "use strict";
  const svg = document.querySelector("svg[data-graph]");
  const form = document.getElementById("graph-form");
  if (!svg) return;
  const nodes = new Map([...svg.querySelectorAll("a[data-id]")].map((a) => [a.dataset.id, node(a)]));
  const lines = [...svg.querySelectorAll("line[data-a]")];

  function node(a) {
    const circle = a.querySelector("circle");
    return { a, x: +circle.getAttribute("cx"), y: +circle.getAttribute("cy"), r: +circle.getAttribute("r"), dx: 0, dy: 0 };
  }

  // The part of the drawing in view
  const view = svg.viewBox.baseVal;
  const whole = { x: view.x, y: view.y, width: view.width, height: view.height };
  const scale = () => view.width / svg.getBoundingClientRect().width;
  const zoom = (by, x = view.x + view.width / 2, y = view.y + view.height / 2) => {
    const width = Math.min(whole.width, Math.max(whole.width / 8, view.width * by));
    const rate = width / view.width;
    view.x = x - (x - view.x) * rate;
    view.y = y - (y - view.y) * rate;
    view.width = width;
    view.height = width * (whole.height / whole.width);
    if (width === whole.width) Object.assign(view, whole);
  };
  const place = (event) => {
    const box = svg.getBoundingClientRect();
    return [view.x + ((event.clientX - box.left) / box.width) * view.width, view.y + ((event.clientY - box.top) / box.height) * view.height];
  };
  svg.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoom(event.deltaY < 0 ? 0.87 : 1.15, ...place(event));
  }, { passive: false });

  // Lines from rim to rim, also after a node was moved
  const redraw = () => {
    for (const line of lines) {
      const a = nodes.get(line.dataset.a), b = nodes.get(line.dataset.b);
      const x1 = a.x + a.dx, y1 = a.y + a.dy, x2 = b.x + b.dx, y2 = b.y + b.dy;
      const length = Math.hypot(x2 - x1, y2 - y1) || 1, ux = (x2 - x1) / length, uy = (y2 - y1) / length;
      line.setAttribute("x1", x1 + ux * a.r);
      line.setAttribute("y1", y1 + uy * a.r);
      line.setAttribute("x2", x2 - ux * (b.r + 2));
      line.setAttribute("y2", y2 - uy * (b.r + 2));
    }
  };

  // Dragging: a node when it begins on one, else the drawing. Little movements stay clicks.
  let drag = null;
  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || event.pointerType === "touch") return; // a finger scrolls the page
    const a = event.target.closest("a[data-id]");
    drag = { node: a && nodes.get(a.dataset.id), x: event.clientX, y: event.clientY, moved: false };
  });
  addEventListener("pointermove", (event) => {
    if (!drag) return;
    const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
    if (!drag.moved && Math.hypot(dx, dy) < 4) return;
    drag.moved = true;
    svg.classList.add("dragging");
    const by = scale();
    if (drag.node) {
      drag.node.dx += dx * by;
      drag.node.dy += dy * by;
      drag.node.a.setAttribute("transform", `translate(${drag.node.dx} ${drag.node.dy})`);
      redraw();
    } else {
      view.x -= dx * by;
      view.y -= dy * by;
    }
    drag.x = event.clientX;
    drag.y = event.clientY;
  });
  addEventListener("pointerup", () => { if (drag && !drag.moved) drag = null; svg.classList.remove("dragging"); setTimeout(() => { drag = null; }); });
  svg.addEventListener("click", (event) => { if (drag && drag.moved) event.preventDefault(); }, true);
  svg.addEventListener("dragstart", (event) => event.preventDefault());

  // Keys: arrows go to the nearest node in that direction
  const shown = () => [...nodes.values()].filter((one) => !one.a.hasAttribute("hidden"));
  const toward = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
  const next = (from, [ux, uy]) => {
    let best = null, least = Infinity;
    for (const one of shown()) {
      const dx = one.x + one.dx - from.x - from.dx, dy = one.y + one.dy - from.y - from.dy;
      const ahead = dx * ux + dy * uy, aside = Math.abs(dx * uy) + Math.abs(dy * ux);
      if (one !== from && ahead > 1 && ahead + 2 * aside < least) { best = one; least = ahead + 2 * aside; }
    }
    return best;
  };
  const region = svg.closest("[tabindex]") || svg;
  region.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const way = toward[event.key], a = event.target.closest("a[data-id]");
    if (way && a) {
      const found = next(nodes.get(a.dataset.id), way);
      if (found) found.a.focus();
    } else if (way && shown().length) (shown().find((one) => !one.a.matches(".minor")) || shown()[0]).a.focus();
    else if (event.key === "+" || event.key === "=") zoom(0.8);
    else if (event.key === "-") zoom(1.25);
    else if (event.key === "0") Object.assign(view, whole);
    else return;
    event.preventDefault();
  });

  // Who is connected to the node in hand
  const mark = (a) => {
    svg.classList.toggle("picked", !!a);
    const near = new Set(a ? [a.dataset.id] : []);
    for (const line of lines) {
      const on = a && (line.dataset.a === a.dataset.id || line.dataset.b === a.dataset.id);
      line.classList.toggle("near", !!on);
      if (on) near.add(line.dataset.a).add(line.dataset.b);
    }
    for (const [id, one] of nodes) one.a.classList.toggle("near", near.has(id));
  };
  for (const [begin, end] of [["pointerover", "pointerout"], ["focusin", "focusout"]]) {
    svg.addEventListener(begin, (event) => { const a = event.target.closest("a[data-id]"); if (a) mark(a); });
    svg.addEventListener(end, () => mark(null));
  }

  // Filters hide at once; another arrangement is drawn by the server
  const filter = () => {
    const chosen = (name) => { const boxes = [...form.querySelectorAll(`[name=${name}]`)]; return boxes.length && new Set(boxes.filter((box) => box.checked).map((box) => box.value)); };
    const hops = chosen("hop"), kinds = chosen("kind");
    const fits = (one) => (!hops || hops.has(one.dataset.hop)) && (!kinds || kinds.has(one.dataset.kind));
    for (const one of nodes.values()) one.a.toggleAttribute("hidden", !fits(one.a));
    for (const line of lines) line.toggleAttribute("hidden", !fits(nodes.get(line.dataset.a).a) || !fits(nodes.get(line.dataset.b).a));
    for (const row of document.querySelectorAll("[data-graph-table] tbody tr")) row.hidden = !fits(row);
  };
  const asked = new URLSearchParams(location.search);
  if (form) form.addEventListener("change", (event) => {
    if (event.target.name === "layout" || asked.has("hop") || asked.has("kind")) form.requestSubmit();
    else filter();
  });

  const tools = document.querySelector(".graph-tools");
  if (tools) {
    tools.hidden = false;
    tools.addEventListener("click", (event) => {
      const does = event.target.dataset.do;
      if (does === "whole") Object.assign(view, whole);
      else if (does) zoom(does === "in" ? 0.8 : 1.25);
    });
  }
})();
