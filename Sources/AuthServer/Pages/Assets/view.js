// What all parts of the page need: its elements, its sections, its messages, and running what a button does.

import { sentence } from "/assets/words.js";

export const element = (id) => document.getElementById(id);

/** What the operator calls the server. */
export const serviceName = document.querySelector("meta[name=application-name]").content;

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
export const when = (seconds) => moment.format(new Date(seconds * 1000));

export function show(section) {
    const isNew = element(section).hidden;
    for (const id of ["welcome", "failed", "codes", "account"]) element(id).hidden = id !== section;
    const title = element(section).querySelector("h1");
    // Who cannot see that the page has changed is told; who works in the same part is not moved away.
    if (isNew || document.activeElement === document.body) title.focus();
    document.title = section === "welcome" ? title.textContent : `${title.textContent} · ${serviceName}`;
}

// MARK: Messages

// How long a message stays that asks for nothing. Errors stay until the next thing is done, or they are closed.
const messageMilliseconds = 12_000;
let timer;

function leave() {
    const box = element("status").parentElement;
    // Who is about to close it does it.
    if (box.matches(":hover, :focus-within")) timer = setTimeout(leave, messageMilliseconds);
    else element("status").textContent = "";
}

/** Says something for a while, or, if it lasts, until something else is said. */
export function say(text, lasts = false) {
    clearTimeout(timer);
    element("status").textContent = text;
    if (!lasts) timer = setTimeout(leave, messageMilliseconds);
}

export function complain(error) {
    element("error").textContent = sentence(error);
}

function silence() {
    element("status").textContent = element("error").textContent = "";
}

for (const close of document.querySelectorAll("#notices button")) {
    close.addEventListener("click", () => {
        close.parentElement.querySelector("p").textContent = "";
        document.querySelector("section:not([hidden]) h1")?.focus();
    });
}

// MARK: Buttons

let signedOut = () => {};
export function onSignedOut(action) {
    signedOut = action;
}

/** Runs what a button does: not twice at once, and with its error shown. */
export async function run(button, action) {
    silence();
    if (button) button.disabled = true;
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
        if (button) button.disabled = false;
    }
}

export function onClick(id, action) {
    element(id).addEventListener("click", () => run(element(id), action));
}

/** Runs what a form is for, by its button and by Enter in each of its fields. */
export function onSubmit(id, action) {
    const form = element(id);
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        run(form.querySelector("button[type=submit]"), () => action(new FormData(form)));
    });
}

/** Returns a button of a row: what it does, and to what. */
export function button(label, about, action) {
    const made = document.createElement("button");
    made.type = "button";
    made.className = "quiet";
    made.textContent = label;
    made.setAttribute("aria-label", `${label}: ${about}`);
    made.addEventListener("click", () => run(made, action));
    return made;
}

/** Returns a row of a list: a name, a mark behind it, a line below, and buttons. */
export function row(name, tag, meta, buttons) {
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
    const line = document.createElement("p");
    line.className = "meta";
    line.textContent = meta;
    words.append(line);
    item.append(words, ...buttons);
    return item;
}
