// Questions before something is done.

import { element } from "/assets/view.js";

const normalised = (text) => text.normalize("NFC").trim();

/**
 * Asks, and returns the answer: nothing if it is no; else what was typed, or true.
 *
 * - `field`: the label of a field to type in; `value`: what stands in it; `must`: what has to be typed, before yes can be pressed.
 * - `danger`: yes cannot be undone. Then it is red, Cancel has the focus, and Enter in the field does not mean yes either.
 */
export function ask({ title, text, yes, field, value, must, danger }) {
    const [dialog, input, agree, cancel] = ["confirm", "confirm-input", "confirm-yes", "confirm-no"].map(element);
    element("confirm-title").textContent = title;
    element("confirm-text").textContent = text;
    element("confirm-text").hidden = !text;
    element("confirm-label").textContent = field ?? "Name";
    element("confirm-field").hidden = field === undefined;
    input.value = value ?? "";
    // An empty field is asked for by the browser, where it is not compared with anything.
    input.required = field !== undefined && must === undefined;
    input.disabled = field === undefined;
    agree.textContent = yes;
    agree.className = danger ? "danger" : "";
    // The form's default is its only button that submits.
    agree.type = danger ? "button" : "submit";
    cancel.type = danger ? "submit" : "button";
    input.oninput = () => { agree.disabled = must !== undefined && normalised(input.value) !== normalised(must); };
    input.oninput();
    dialog.returnValue = "no";
    dialog.showModal();
    (danger ? cancel : field === undefined ? agree : input).focus();
    if (!danger && field !== undefined) input.select();
    return new Promise((resolve) => {
        dialog.onclose = () => {
            if (dialog.returnValue !== "yes") return resolve(undefined);
            resolve(field === undefined ? true : normalised(input.value) || undefined);
        };
    });
}

for (const id of ["confirm-yes", "confirm-no"]) {
    element(id).addEventListener("click", (event) => {
        if (event.target.type === "button") element("confirm").close(event.target.value);
    });
}
