// The page: it begins with the welcome or with the account.

import { account, confirmByPasskey } from "/assets/account.js";
import { showCodes } from "/assets/codes.js";
import { canOfferInField, offerInField, recover, signIn, signUp } from "/assets/passkeys.js";
import { hooks, isSignedIn } from "/assets/session.js";
import { complain, element, onClick, onSignedOut, onSubmit, run, say, show } from "/assets/view.js";
import { Said, reasons } from "/assets/words.js";

hooks.stepUp = confirmByPasskey;
hooks.waiting = (reason, seconds) => say(reason ? reasons[reason](seconds) : "", true);

function welcome() {
    for (const form of document.forms) form.reset();
    show("welcome");
    offer();
}

const isWelcome = () => !element("welcome").hidden;

/** Waits for a passkey that is picked in the field, for as long as nothing else happens. */
async function offer() {
    const canOffer = await canOfferInField();
    element("passkey-picker").hidden = !canOffer;
    if (!canOffer) return;
    try {
        if (await offerInField(isWelcome)) await account();
    } catch (error) {
        // Given up for the button, or no passkey was picked: neither is worth a message.
        if (!(error instanceof DOMException)) complain(error);
    }
}

/** A form of the welcome. If it comes to nothing, passkeys are offered in the field again. */
function onWelcomeSubmit(id, action) {
    onSubmit(id, async (form) => {
        try {
            await action(form);
        } catch (error) {
            offer();
            throw error;
        }
    });
}

// Who may make an account: "open", "invitation" or "closed", as the operator has set it.
const signUpMode = element("welcome").dataset.signUp;
element("sign-up").hidden = signUpMode === "closed";
element("sign-up-closed").hidden = signUpMode !== "closed";
element("invitation-part").hidden = signUpMode !== "invitation";
element("invitation").required = signUpMode === "invitation";

onSignedOut(welcome);
document.addEventListener("left", (event) => {
    welcome();
    say(event.detail);
});
onWelcomeSubmit("sign-in", async () => {
    await signIn();
    await account();
});
onWelcomeSubmit("sign-up", async (form) => {
    const name = form.get("account").trim();
    if (!name) throw new Said("Type a name for your account first.");
    const { recovery_codes: codes } = await signUp(name, form.get("invitation").trim() || undefined);
    showCodes(codes, { account: name, replaced: false, then: account });
});
onWelcomeSubmit("recover", async (form) => {
    await recover(form.get("code"));
    await account();
    say("You are back in. Remove the passkeys that are lost, and make new recovery codes.");
});

async function start() {
    if (!(await isSignedIn())) return welcome();
    try {
        await account();
    } catch (error) {
        // Who is signed in is not shown the welcome for a server that is away.
        if (error.code !== "invalid_grant") show("failed");
        throw error;
    }
}

onClick("try-again", start);
if (window.PublicKeyCredential?.parseCreationOptionsFromJSON) {
    run(undefined, start);
} else {
    show("welcome");
    complain(new Said("This browser is too old for passkeys. Use a newer one."));
}
