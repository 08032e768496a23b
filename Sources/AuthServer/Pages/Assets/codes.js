// Recovery codes: they are shown once, saved, and one is typed back.

import { element, onClick, onSubmit, say, serviceName, show } from "/assets/view.js";
import { Said } from "/assets/words.js";

// Only while they are on the page.
let codes = [];
let heading = "";
let done = async () => {};
// The one that is asked for.
let asked = 0;

/**
 * Shows new codes, until one of them was typed back.
 *
 * - `account`: its name; `replaced`: whether there were others, which are void now; `then`: what comes after.
 */
export function showCodes(made, { account, replaced, then }) {
    codes = made;
    done = then;
    heading = `Recovery codes of “${account}” at ${serviceName}, made on ${new Date().toLocaleDateString()}`;
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

/** Asks for one of the codes, or goes back to where they are shown. */
function choose(isAsking) {
    element("codes-shown").hidden = isAsking;
    element("codes-check").hidden = !isAsking;
    if (!isAsking) return element("codes-title").focus();
    asked = crypto.getRandomValues(new Uint32Array(1))[0] % codes.length;
    element("code-question").textContent = `Type code ${asked + 1} of ${codes.length}`;
    element("code-typed").value = "";
    element("code-typed").focus();
}

// As the server reads them: blanks, dashes and case do not count, O is 0, I and L are 1.
const plain = (code) => code.toUpperCase().replace(/[\s-]/g, "").replaceAll("O", "0").replace(/[IL]/g, "1");

const text = () => [
    heading, location.origin, "", ...codes.map((code, index) => `${String(index + 1).padStart(2)}. ${code}`), "",
    "If all your passkeys are lost, one of these gets you into the account. Each works once. Keep them secret.", "",
].join("\n");

/** Saves a text as a file, by the browser's own means. */
export function download(name, type, content) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([content], { type }));
    link.download = name;
    link.click();
    // Some browsers read it after the click.
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

onClick("codes-copy", async () => {
    try {
        await navigator.clipboard.writeText(text());
    } catch {
        throw new Said("This browser does not let the page copy. Download or print the codes instead.");
    }
    say("The codes were copied. Paste them where you keep secrets, such as a password manager.");
});
onClick("codes-download", async () => download("recovery-codes.txt", "text/plain", text()));
onClick("codes-print", async () => window.print());
onClick("codes-saved", async () => choose(true));
onClick("codes-again", async () => choose(false));
onSubmit("codes-check", async (form) => {
    if (plain(form.get("code")) !== plain(codes[asked])) {
        throw new Said(`That is not code ${asked + 1}. Look it up where you saved the codes, or show them again.`);
    }
    codes = [];
    heading = "";
    element("code-list").replaceChildren();
    element("codes-for").textContent = "";
    await done();
});

// The codes cannot be shown again: who leaves before one was typed back is asked first.
window.addEventListener("beforeunload", (event) => {
    if (codes.length > 0) event.preventDefault();
});
