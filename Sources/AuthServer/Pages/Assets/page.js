// The start of the page: it shows the welcome or the account.

import { account, confirmByPasskey } from "/assets/account.js";
import { showCodes } from "/assets/codes.js";
import { canOfferInField, offerInField, recover, signIn, signUp } from "/assets/passkeys.js";
import { hooks, isSignedIn } from "/assets/session.js";
import { complain, element, linkedView, onClick, onSignedOut, onSubmit, run, say, show, silence } from "/assets/view.js";
import { Said, reason, text } from "/assets/words.js";

hooks.stepUp = confirmByPasskey;
hooks.waiting = (kind, seconds) => say(kind ? reason(kind, seconds) : "", true);

// The operator's rule for new accounts: "open", "invitation" or "closed".
const signUpMode = element("welcome").dataset.signUp;
element("sign-up-open").hidden = signUpMode === "closed";
element("sign-up-closed").hidden = signUpMode !== "closed";
element("invitation-part").hidden = signUpMode !== "invitation";
element("invitation").required = signUpMode === "invitation";

/** Shows the view for a user who is not signed in: the one of the address, or the welcome. */
function enter() {
    const view = linkedView();
    show(view === "create" && signUpMode === "closed" ? "welcome" : view);
    if (isWelcome()) offer();
}

function welcome() {
    for (const form of document.forms) form.reset();
    show("welcome");
    offer();
}

const isWelcome = () => !element("welcome").hidden;

window.addEventListener("hashchange", () => {
    if (!["welcome", "create", "recovery"].includes(document.body.dataset.view)) return;
    silence();
    enter();
});

/** Waits until the user picks a passkey in the field, as long as the welcome is shown. */
async function offer() {
    const canOffer = await canOfferInField();
    element("passkey-picker").hidden = !canOffer;
    if (!canOffer) return;
    try {
        if (await offerInField(isWelcome)) {
            // The message of the view before, such as that of signing out.
            silence();
            await account();
        }
    } catch (error) {
        // The user pressed the button instead, or picked no passkey: neither needs a message.
        if (!(error instanceof DOMException)) complain(error);
    }
}

// The cookie says nothing but the language, and lasts a year. The document comes in that language from then on: the server reads the
// cookie, so that no text is shown in one language and replaced by another.
for (const choice of document.querySelectorAll("[data-language]")) {
    choice.addEventListener("click", () => {
        const secure = location.protocol === "https:" ? "; Secure" : "";
        document.cookie = `language=${choice.dataset.language}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
        location.reload();
    });
}

onSignedOut(welcome);
document.addEventListener("left", (event) => {
    welcome();
    say(event.detail);
});
onSubmit("sign-in", async () => {
    try {
        await signIn();
        await account();
    } catch (error) {
        // The field offers passkeys again.
        if (isWelcome()) offer();
        throw error;
    }
});
onSubmit("sign-up", async (form) => {
    const name = form.get("account").trim();
    if (!name) throw new Said(text("account.name-first"));
    const { recovery_codes: codes } = await signUp(name, form.get("invitation").trim() || undefined);
    showCodes(codes, { account: name, replaced: false, then: account });
});
onSubmit("recover", async (form) => {
    await recover(form.get("code"));
    await account();
    say(text("account.recovered"));
});

async function start() {
    if (!(await isSignedIn())) return enter();
    try {
        await account();
    } catch (error) {
        // A user who is signed in does not see the welcome while the server cannot be reached.
        if (error.code !== "invalid_grant") show("failed");
        throw error;
    }
}

onClick("try-again", start);
if (window.PublicKeyCredential?.parseCreationOptionsFromJSON) {
    run(undefined, start);
} else {
    show("welcome");
    complain(new Said(text("problem.old-browser")));
}
