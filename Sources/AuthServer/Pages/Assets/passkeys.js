// The ceremonies of WebAuthn: options from the server, the authenticator's answer back to it.

import { ask, begin, call } from "/assets/session.js";

const names = { platform: "This device", "cross-platform": "Security key" };

/** What a person would call this browser. */
export function deviceName() {
    const system = navigator.userAgentData?.platform || (/(Android|iPhone|iPad|Mac|Windows|Linux)/.exec(navigator.userAgent) ?? [])[1];
    const brand = navigator.userAgentData?.brands?.find((entry) => !/not.*brand/i.test(entry.brand))?.brand
        ?? (/(Firefox|Edg|Chrome|Safari)/.exec(navigator.userAgent) ?? [])[1];
    return [brand, system].filter(Boolean).join(" on ") || "A browser";
}

async function create(options) {
    return navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options.public_key) });
}

async function register(request, options, accountName) {
    const credential = await create(options);
    return request("POST", "/api/auth/passkey/register", {
        credential: credential.toJSON(),
        account_name: accountName,
        passkey_name: names[credential.authenticatorAttachment] ?? "Passkey",
        device_name: deviceName(),
    });
}

export async function signUp(accountName) {
    const options = await ask("POST", "/api/auth/passkey/register/options", { purpose: "sign_up", account_name: accountName });
    const answer = await register(ask, options, accountName);
    await begin(answer.tokens);
    return answer;
}

export async function recover(code) {
    const options = await ask("POST", "/api/auth/recovery/options", { code });
    const answer = await register(ask, options);
    await begin(answer.tokens);
    return answer;
}

export async function addPasskey() {
    return register(call, await call("POST", "/api/auth/passkey/register/options", { purpose: "add_passkey" }));
}

let pending;

// The server's challenge is good for five minutes, and whoever has the page open may take longer.
const patience = 4 * 60 * 1000;
const stale = new DOMException("The challenge is too old.", "TimeoutError");

async function get(options, mediation) {
    // One ceremony at a time: the one that waits in the field gives way to the one of the button.
    pending?.abort();
    const own = pending = new AbortController();
    const timer = setTimeout(() => own.abort(stale), patience);
    try {
        return await navigator.credentials.get({
            publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options.public_key), mediation, signal: own.signal,
        });
    } finally {
        clearTimeout(timer);
    }
}

async function authenticate(request, options, mediation) {
    const credential = await get(options, mediation);
    return request("POST", "/api/auth/passkey/authenticate", { credential: credential.toJSON(), device_name: deviceName() });
}

export async function signIn(mediation) {
    const options = await ask("POST", "/api/auth/passkey/authenticate/options", { purpose: "sign_in" });
    await begin(await authenticate(ask, options, mediation));
}

/** Signs in again, for what is sensitive. */
export async function stepUp() {
    const options = await call("POST", "/api/auth/passkey/authenticate/options", { purpose: "step_up" });
    await begin(await authenticate(call, options));
}

/** Offers passkeys in the field's list, where the browser can. */
export async function offerInField() {
    if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return false;
    for (;;) {
        try {
            await signIn("conditional");
            return true;
        } catch (error) {
            if (error !== stale) throw error;
        }
    }
}
