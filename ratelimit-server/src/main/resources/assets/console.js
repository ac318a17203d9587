// What pages do beyond what they do without a script: line numbers, jumps to a line, fields
// that come and go, a word when the service is away.
"use strict";

(() => {
  const count = text => {
    let lines = 1;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
    return lines;
  };

  const numbered = area => {
    const gutter = document.createElement("pre");
    gutter.className = "gutter";
    gutter.setAttribute("aria-hidden", "true");
    let shown = 0;
    const draw = () => {
      const lines = count(area.value);
      if (lines !== shown) {
        shown = lines;
        gutter.textContent = Array.from({ length: lines }, (_, line) => line + 1).join("\n") + "\n\n\n";
      }
      gutter.scrollTop = area.scrollTop;
    };
    area.before(gutter);
    area.parentElement.classList.add("numbered");
    area.addEventListener("input", draw);
    area.addEventListener("scroll", () => { gutter.scrollTop = area.scrollTop; });
    new ResizeObserver(draw).observe(area);
    draw();
  };

  const startOf = (text, line) => {
    let at = 0;
    for (let passed = 1; passed < line; passed++) {
      const end = text.indexOf("\n", at);
      if (end < 0) break;
      at = end + 1;
    }
    return at;
  };

  const jump = (area, line, column) => {
    const start = startOf(area.value, line);
    const end = area.value.indexOf("\n", start);
    area.focus({ preventScroll: true });
    area.setSelectionRange(Math.min(start + Math.max(column - 1, 0), end < 0 ? area.value.length : end), end < 0 ? area.value.length : end);
    area.scrollTop = (line - 1) * parseFloat(getComputedStyle(area).lineHeight) - area.clientHeight / 3;
    area.scrollLeft = 0;
    area.scrollIntoView({ block: "nearest" });
  };

  const area = document.getElementById("text");
  if (area instanceof HTMLTextAreaElement) {
    numbered(area);
    // What is only true of a text that holds certain words.
    for (const remark of document.querySelectorAll("[data-while-typed]")) {
      area.addEventListener("input", () => { remark.hidden = !area.value.includes(remark.dataset.whileTyped); });
    }
    document.addEventListener("click", event => {
      const link = event.target instanceof Element ? event.target.closest("a[data-line]") : null;
      if (link) {
        event.preventDefault();
        jump(area, Number(link.dataset.line), Number(link.dataset.column));
      }
    });
  }

  // Fields that go with one choice of another field are shown with that choice alone.
  for (const part of document.querySelectorAll("[data-shown-by]")) {
    const choice = document.getElementById(part.dataset.shownBy);
    const show = () => { part.hidden = !part.dataset.shownFor.split(" ").includes(choice.value); };
    choice.addEventListener("change", show);
    show();
  }

  const trouble = document.getElementById("trouble");
  const signedOut = document.getElementById("signed-out");
  const say = text => {
    trouble.textContent = text;
    trouble.hidden = text === "";
    signedOut.hidden = true;
  };

  // A page that is left loses what was typed, so it stays, and takes the token of the next session.
  const sayOut = part => {
    say("");
    if (part.matches("[aria-live]")) part.replaceChildren(signedOut);
    else trouble.after(signedOut);
    signedOut.hidden = false;
  };
  const goOn = (token, element) => {
    document.body.setAttribute("hx-headers", JSON.stringify({ "X-CSRF-Token": token }));
    for (const field of document.querySelectorAll("input[name=csrf]")) field.value = token;
    htmx.trigger(element, "again");
  };

  // What was found in an earlier text must not be taken for what is to be said of this one.
  const unchecked = element => {
    if (element === area) {
      const remark = document.createElement("p");
      remark.className = "hint";
      remark.textContent = "This text is not checked yet.";
      document.getElementById("findings").replaceChildren(remark);
    }
  };
  document.addEventListener("htmx:sendError", ({ detail: { elt } }) => {
    say("The service does not answer. What you have typed is still here.");
    unchecked(elt);
  });
  document.addEventListener("htmx:responseError", ({ detail: { xhr, elt, target } }) => {
    const token = xhr.getResponseHeader("X-CSRF-Token");
    if (xhr.status === 401) {
      sayOut(target);
    } else if (token) {
      goOn(token, elt);
    } else {
      say(`The service could not do this (status ${xhr.status}). What you have typed is still here.`);
      unchecked(elt);
    }
  });
  document.addEventListener("htmx:beforeSwap", ({ detail }) => detail.isError || say(""));
})();
