/* While a question is typed, finished reports on related ones are named under the form; and the question of a run
   that waits for an answer stands in a dialog. Without this file the next page names them, and the question is a form. */
(() => {
  "use strict";
  const question = document.getElementById("q"), place = document.getElementById("related");
  if (question && place) {
    let timer, asked = question.value.trim();
    const look = async () => {
      const text = question.value.trim();
      if (text === asked) return;
      asked = text;
      try {
        const answer = await fetch(`/related?${new URLSearchParams({ q: text.slice(0, 2000) })}`);
        if (!answer.ok || asked !== text) return;
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        place.replaceChildren(...[...page.body.children].map((node) => document.importNode(node, true)));
      } catch { /* they are named on the next page as well */ }
    };
    question.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(look, 400); });
  }

  const form = document.querySelector("form.ask-you");
  if (form && window.HTMLDialogElement) {
    const dialog = document.createElement("dialog"), mark = document.createComment("form"), later = document.createElement("button");
    dialog.className = "sheet asking";
    dialog.setAttribute("aria-labelledby", form.querySelector("legend").id);
    later.type = "button";
    later.className = "plain";
    later.textContent = "Answer later";
    later.addEventListener("click", () => dialog.close());
    form.querySelector(".acts").append(" ", later);
    const about = document.createElement("p");
    about.className = "meta";
    about.dir = "auto";
    about.textContent = document.querySelector("h1").textContent;
    form.before(mark);
    dialog.append(about, form);
    document.body.append(dialog);
    dialog.addEventListener("close", () => {
      later.remove();
      mark.replaceWith(form);
      dialog.remove();
      form.querySelector("input:not([type=hidden])")?.focus();
    });
    dialog.showModal();
  }
})();
