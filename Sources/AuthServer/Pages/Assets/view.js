// The common parts of the page: elements, views, messages, and the actions of buttons.

import { sentence, serviceName, text } from "/assets/words.js";

export const element = (id) => document.getElementById(id);

// The views with the fragments of their links; null for a view without a link. One view is shown at a time.
const views = { welcome: "", create: "#create-account", recovery: "#use-recovery-code", failed: null, codes: null, account: null };

/** Returns the view that the address names; the welcome if it names none. */
export const linkedView = () => Object.keys(views).find((name) => views[name] && views[name] === location.hash) ?? "welcome";

export function show(view) {
    const isNew = element(view).hidden;
    for (const id of Object.keys(views)) element(id).hidden = id !== view;
    document.body.dataset.view = view;
    // The address of a view after a sign-in has no fragment.
    if (location.hash && views[view] !== location.hash) history.replaceState(null, "", location.pathname);
    const title = element(view).querySelector("h1");
    // Without the soft hyphens, at which a long word may be broken.
    const name = title.textContent.replaceAll("\u00ad", "");
    document.title = view === "welcome" ? name : `${name} · ${serviceName}`;
    if (isNew) element("page").scrollTop = 0;
    // A new view gets the focus, so that a screen reader announces it. Within a view the focus stays where it is.
    if (isNew || document.activeElement === document.body) title.focus();
}

// MARK: Messages

// The time for which a message is shown. Errors stay until the next action, or until the user closes them.
const messageMilliseconds = 12_000;
let timer;

function leave() {
    const box = element("status").parentElement;
    // A message that the user is pointing at, or has focused, stays.
    if (box.matches(":hover, :focus-within")) timer = setTimeout(leave, messageMilliseconds);
    else element("status").textContent = "";
}

/** Shows a message for a while; or, if `lasts`, until the next message. */
export function say(words, lasts = false) {
    clearTimeout(timer);
    element("status").textContent = words;
    if (!lasts) timer = setTimeout(leave, messageMilliseconds);
}

export function complain(error) {
    element("error").textContent = sentence(error);
}

export function silence() {
    element("status").textContent = element("error").textContent = "";
}

for (const close of document.querySelectorAll("#notices button")) {
    close.addEventListener("click", () => {
        close.parentElement.querySelector("p").textContent = "";
        document.querySelector("main > section:not([hidden]) h1")?.focus();
    });
}

// MARK: Buttons

let signedOut = () => {};
export function onSignedOut(action) {
    signedOut = action;
}

/** Disables a button, and shows that its action is running. Returns a function that undoes both. */
function busy(button) {
    if (!button) return () => {};
    const label = button.textContent;
    button.disabled = true;
    if (button.dataset.busy) button.textContent = button.dataset.busy;
    return () => {
        button.disabled = false;
        if (button.dataset.busy) button.textContent = label;
    };
}

/** Runs the action of a button: not twice at the same time, and shows its error. */
export async function run(button, action) {
    silence();
    const done = busy(button);
    try {
        await action();
    } catch (error) {
        if (error.code === "invalid_grant") {
            signedOut();
            say(sentence(error));
        } else {
            say("");
            complain(error);
        }
    } finally {
        done();
    }
}

export function onClick(id, action) {
    element(id).addEventListener("click", () => run(element(id), action));
}

/** Sets the action of a form, for its button and for Enter in each of its fields. */
export function onSubmit(id, action) {
    const form = element(id);
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        run(form.querySelector("button[type=submit]"), () => action(new FormData(form)));
    });
}

/** Returns a button of a row: its label, and the name that the action is about. */
export function button(key, about, action) {
    const made = document.createElement("button");
    made.type = "button";
    made.className = "quiet small";
    made.textContent = text(key);
    made.setAttribute("aria-label", `${text(key)}: ${about}`);
    made.addEventListener("click", () => run(made, action));
    return made;
}

/** Returns a row of a list: a name, a tag after it, lines below, and buttons. */
export function row(name, tag, lines, buttons) {
    const item = document.createElement("li");
    const words = document.createElement("div");
    const title = document.createElement("strong");
    title.textContent = name;
    words.append(title);
    if (tag) {
        const mark = document.createElement("span");
        mark.className = "tag";
        mark.textContent = tag;
        words.append(" ", mark);
    }
    for (const said of lines) {
        const line = document.createElement("p");
        line.className = "meta";
        line.textContent = said;
        words.append(line);
    }
    const actions = document.createElement("div");
    actions.className = "row-actions";
    actions.append(...buttons);
    item.append(words, actions);
    return item;
}
