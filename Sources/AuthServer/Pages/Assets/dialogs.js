// Questions to confirm an action, or to type a value.

import { element } from "/assets/view.js";
import { text } from "/assets/words.js";

const normalised = (text) => text.normalize("NFC").trim();

/**
 * Asks a question. Returns undefined for no; for yes the typed text, or true without a field.
 *
 * - `field`: the label of a field to type in; `value`: its initial value; `must`: the text that enables the yes button.
 * - `danger`: the action cannot be undone. Then yes is red, Cancel has the focus, and Enter in the field does not mean yes.
 */
export function ask({ title, words, yes, field, value, must, danger }) {
    const [dialog, input, agree, cancel] = ["confirm", "confirm-input", "confirm-yes", "confirm-no"].map(element);
    element("confirm-title").textContent = title;
    element("confirm-text").textContent = words ?? "";
    element("confirm-text").hidden = !words;
    // Without a text, the dialog has no description.
    if (words) dialog.setAttribute("aria-describedby", "confirm-text");
    else dialog.removeAttribute("aria-describedby");
    element("confirm-label").textContent = field ?? text("confirm.name");
    element("confirm-field").hidden = field === undefined;
    input.value = value ?? "";
    // The browser requires a value, unless the value is compared with `must`.
    input.required = field !== undefined && must === undefined;
    input.disabled = field === undefined;
    agree.textContent = yes;
    agree.className = danger ? "danger" : "";
    // The default action of the form is its only button of type submit.
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
