// The ceremonies of WebAuthn: they get options from the server, and send the authenticator's response back.

import { deviceName, passkeyName } from "/assets/names.js";
import { ask, begin, beginAgain, call } from "/assets/session.js";

async function register(request, options, accountName, invitation) {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options.public_key);
    const credential = await alone((signal) => navigator.credentials.create({ publicKey, signal }));
    return request("POST", "/api/auth/passkey/register", {
        credential: credential.toJSON(),
        account_name: accountName,
        invitation,
        passkey_name: passkeyName(credential),
        device_name: deviceName(),
    });
}

/** Makes an account. `invitation`: the code, if the server requires one; otherwise undefined. */
export async function signUp(accountName, invitation) {
    const options = await ask("POST", "/api/auth/passkey/register/options", { purpose: "sign_up", account_name: accountName, invitation });
    const answer = await register(ask, options, accountName, invitation);
    await begin(answer.tokens);
    return answer;
}

export async function recover(code) {
    const options = await ask("POST", "/api/auth/recovery/options", { code });
    const answer = await register(ask, options);
    await begin(answer.tokens);
    return answer;
}

/** Adds a passkey to the account. Returns it. */
export async function addPasskey() {
    const options = await call("POST", "/api/auth/passkey/register/options", { purpose: "add_passkey" });
    return (await register(call, options)).passkey;
}

// The running ceremony, with a promise of its end.
let running;

// The server's challenge is valid for five minutes, and the page may stay open for longer.
const patience = 4 * 60 * 1000;
const stale = new DOMException("", "TimeoutError");

/**
 * Runs one ceremony at a time: a ceremony of the field is aborted for one of a button. The browser refuses a second ceremony
 * until the first one has really ended, so this function waits for that.
 */
async function alone(ceremony) {
    while (running) {
        running.controller.abort();
        await running.ended;
    }
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(stale), patience);
    const answer = ceremony(controller.signal);
    const ended = answer.then(() => {}, () => {}).then(() => {
        clearTimeout(timer);
        running = undefined;
    });
    running = { controller, ended };
    try {
        return await answer;
    } finally {
        await ended;
    }
}

async function authenticate(request, options, mediation) {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options.public_key);
    const credential = await alone((signal) => navigator.credentials.get({ publicKey, mediation, signal }));
    return request("POST", "/api/auth/passkey/authenticate", { credential: credential.toJSON(), device_name: deviceName() });
}

const signInOptions = () => ask("POST", "/api/auth/passkey/authenticate/options", { purpose: "sign_in" });

export async function signIn() {
    await begin(await authenticate(ask, await signInOptions()));
}

/** Makes a step-up: signs in again, before a sensitive action. */
export async function stepUp() {
    const options = await call("POST", "/api/auth/passkey/authenticate/options", { purpose: "step_up" });
    await beginAgain(await authenticate(call, options));
}

export const canOfferInField = async () => (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true;

/** Offers passkeys in the field's list as long as `isWanted`. Returns whether the user picked one, and is signed in. */
export async function offerInField(isWanted) {
    for (;;) {
        const options = await signInOptions();
        // Meanwhile the user pressed a button: its ceremony is not disturbed.
        if (running || !isWanted()) return false;
        try {
            await begin(await authenticate(ask, options, "conditional"));
            return true;
        } catch (error) {
            if (error !== stale) throw error;
        }
    }
}
