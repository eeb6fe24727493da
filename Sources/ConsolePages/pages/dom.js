/** Makes an element. A child that is text becomes a text node, so that no stored text is read as
 * markup. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

/** A button. An error of what it does is shown in a dialog. */
export function button(text, act, attributes = {}) {
  const onclick = async (event) => {
    try {
      await act(event);
    } catch (error) {
      await report(error);
    }
    // The pressed button may have been replaced.
    if (document.activeElement === document.body) document.getElementById("main").focus();
  };
  return make("button", { type: "button", onclick, ...attributes }, text);
}

/** Shows an error in a dialog. */
export function report(error) {
  return ask("That didn't work", "Go on", make("p", {}, error.message), () => null);
}

/** Says something to the eye and to a screen reader. */
export function say(text) {
  document.getElementById("status").textContent = text;
}

/** Lets an element glow, since it has changed. */
export function glow(element) {
  element.classList.remove("changed");
  // The style must be computed without the class once, or the animation doesn't begin anew.
  void element.offsetWidth;
  element.classList.add("changed");
}

export function notice(text, ...children) {
  return make("div", { class: "notice", role: "alert" }, text, ...children);
}

/** Shows a form in a dialog. Resolves with what `read` returns once it is accepted; with
 * `undefined` if it is given up. An error of `read` is shown, and the dialog stays. `read` gets an
 * `AbortSignal`: one that is given up while it works ends the dialog when it has returned. */
export function ask(title, accept, content, read, { isBad = false } = {}) {
  return new Promise((resolve) => {
    const ending = new AbortController();
    let isReading = false;
    const problem = make("p", { class: "bad", role: "alert" });
    const confirm = make("button", { type: "submit", class: isBad ? "bad" : "main" }, accept);
    const form = make(
      "form", { method: "dialog", novalidate: true },
      make("h1", { id: "dialog-title" }, title), content, problem,
      make("div", { class: "row" }, button("Cancel", giveUp), confirm));
    const dialog = make("dialog", { "aria-labelledby": "dialog-title" }, form);
    function giveUp() {
      ending.abort();
      if (!isReading) finish(undefined);
    }
    function finish(result) {
      dialog.close();
      dialog.remove();
      resolve(result);
    }
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      confirm.disabled = true;
      problem.textContent = "";
      isReading = true;
      try {
        const result = await read(ending.signal);
        finish(ending.signal.aborted ? undefined : result);
      } catch (error) {
        isReading = false;
        if (ending.signal.aborted) return finish(undefined);
        problem.textContent = error.message;
        error.element?.focus();
        confirm.disabled = false;
      }
    });
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      giveUp();
    });
    document.body.append(dialog);
    dialog.showModal();
    (dialog.querySelector("[autofocus]") ?? confirm).focus();
  });
}

/** Asks before something is taken away. Resolves with whether the person is sure. */
export async function isSure(title, accept, text) {
  return Boolean(await ask(title, accept, make("p", {}, text), () => true, { isBad: true }));
}

/** A table that scrolls by itself. `head` has the titles of its columns, or their cells. */
export function table(label, head, body) {
  const titles = head.map((title) => typeof title === "string"
    ? make("th", { scope: "col" }, title) : title);
  return make(
    "div", { class: "table", tabindex: "0", role: "region", "aria-label": label },
    make("table", {}, make("thead", {}, make("tr", {}, titles)), body));
}

/** Lets the arrow keys move the focus between the links of a list. */
export function moveByArrows(list) {
  list.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    const links = [...list.querySelectorAll("a")];
    const next = links[links.indexOf(document.activeElement) + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
}

export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    say(`Copied: ${text}`);
  } catch {
    // Without TLS a page that isn't on this machine has no clipboard.
    await ask("Copy", "Done", make("pre", {}, text), () => null);
  }
}

export function count(number, one, many = `${one}s`) {
  return `${Number(number).toLocaleString("en")} ${Number(number) === 1 ? one : many}`;
}
