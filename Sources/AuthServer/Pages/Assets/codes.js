// Recovery codes: they are shown once, and saved; then the user types one of them.

import { today } from "/assets/times.js";
import { element, onClick, onSubmit, say, show } from "/assets/view.js";
import { Said, text } from "/assets/words.js";

// The codes, only while they are on the page.
let codes = [];
let heading = "";
let done = async () => {};
// The index of the code that the user has to type.
let asked = 0;

/**
 * Shows new codes, until the user has typed one of them.
 *
 * - `account`: the name of the account; `replaced`: whether older codes existed, which are now invalid; `then`: the next step.
 */
export function showCodes(made, { account, replaced, then }) {
    codes = made;
    done = then;
    heading = text("codes.heading", { account, date: today() });
    element("codes-for").textContent = heading;
    element("codes-replaced").hidden = !replaced;
    element("code-list").replaceChildren(...codes.map((code) => {
        const item = document.createElement("li");
        item.textContent = code;
        return item;
    }));
    choose(false);
    show("codes");
}

/** Asks for one of the codes, or returns to the list of codes. */
function choose(isAsking) {
    element("codes-shown").hidden = isAsking;
    element("codes-check").hidden = !isAsking;
    if (!isAsking) return element("codes-title").focus();
    asked = crypto.getRandomValues(new Uint32Array(1))[0] % codes.length;
    element("code-question").textContent = text("codes.question", { number: asked + 1, count: codes.length });
    element("code-typed").value = "";
    element("code-typed").focus();
}

// The same form as on the server: blanks, dashes and case do not count, O is 0, I and L are 1.
const plain = (code) => code.toUpperCase().replace(/[\s-]/g, "").replaceAll("O", "0").replace(/[IL]/g, "1");

const file = () => [
    heading, location.origin, "", ...codes.map((code, index) => `${String(index + 1).padStart(2)}. ${code}`), "",
    text("codes.file-end"), "",
].join("\n");

/** Saves a text as a file, as a download of the browser. */
export function download(name, type, content) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([content], { type }));
    link.download = name;
    link.click();
    // Some browsers read the URL after the click.
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

onClick("codes-copy", async () => {
    try {
        await navigator.clipboard.writeText(file());
    } catch {
        throw new Said(text("codes.cannot-copy"));
    }
    say(text("codes.copied"));
});
onClick("codes-download", async () => download(text("codes.file-name"), "text/plain", file()));
onClick("codes-print", async () => window.print());
onClick("codes-saved", async () => choose(true));
onClick("codes-again", async () => choose(false));
onSubmit("codes-check", async (form) => {
    if (plain(form.get("code")) !== plain(codes[asked])) {
        throw new Said(text("codes.wrong", { number: asked + 1 }));
    }
    codes = [];
    heading = "";
    element("code-list").replaceChildren();
    element("codes-for").textContent = "";
    await done();
});

// The codes cannot be shown again: a user who leaves before typing one is asked to confirm.
window.addEventListener("beforeunload", (event) => {
    if (codes.length > 0) event.preventDefault();
});
