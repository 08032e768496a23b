// Requests of a session.
//
// All tabs share its tokens: they lie in IndexedDB, beside the key that they are bound to. The access token may lie there, too:
// without the key, which cannot be read out, it opens nothing (RFC 9449), and a script or a thief that gets at it gets at the refresh
// token beside it, which is worth more. So a tab that is opened finds a token that is good, and of any number of tabs that find
// none, one renews it for all. With a BroadcastChannel a tab would have to be there to answer, and the two tokens could not be
// replaced in one transaction.

import { loadSession, removeAll, removeDeviceKey, removeSession, updateSession } from "/assets/keys.js";
import { forgetNonce, learnNonce, proof } from "/assets/proof.js";

// How long an answer may take. Many sign-ups at once take their time; who holds the lock does not wait as long.
const answerPatience = 60_000;
const renewalPatience = 10_000;
// How long a tab waits for another one that renews the tokens, before it says so. The other one holds the lock for one request, and
// once more with another nonce, unless it is frozen.
const lockPatience = 5_000;
// A token that is good for less than this is renewed before it is used.
const margin = 5_000;
// The longest time that the server may ask for, for which the page waits by itself.
const longestWait = 60;

/** What the page does for a session: each is set by the page. */
export const hooks = {
    /** Has the person use the passkey again. */
    stepUp: async () => {},
    /** Tells the person that this takes longer, and why: `other_tab`, or `rate_limited` with the seconds. Without a reason it is over. */
    waiting: () => {},
};

// Whose account this page shows.
let owner;

/** What the server said went wrong, by its code. Codes of this page: `unreachable`, `account_changed`. */
export class Problem extends Error {
    constructor(status, body) {
        super(body?.code ?? `status ${status}`);
        this.status = status;
        this.code = body?.code ?? (status >= 500 ? "unavailable" : undefined);
        this.retryAfter = body?.retry_after;
    }
}

// After these the server has the browser clear what it keeps (`Clear-Site-Data`), which browsers do only for a request that could have
// credentials. Cookies there are none.
const clearing = ["/api/auth/logout", "/api/account"];

async function answer(method, path, body, token, patience) {
    const headers = { DPoP: await proof(method, path, token) };
    if (token) headers.Authorization = `DPoP ${token}`;
    if (body !== undefined) headers["Content-Type"] = "application/json";
    try {
        const response = await fetch(path, {
            method, headers, body: body === undefined ? undefined : JSON.stringify(body), cache: "no-store",
            credentials: clearing.includes(path) ? "same-origin" : "omit", signal: AbortSignal.timeout(patience),
        });
        learnNonce(response);
        return [response, response.status === 204 ? undefined : await response.json().catch(() => undefined)];
    } catch {
        throw new Problem(0, { code: "unreachable" });
    }
}

async function send(method, path, body, token, patience = answerPatience) {
    // The second time the proof has the nonce that the first answer asked for.
    for (let attempt = 0; ; attempt += 1) {
        const [response, value] = await answer(method, path, body, token, patience);
        if (response.ok) return value;
        if (value?.code === "use_dpop_nonce" && attempt === 0) continue;
        if (value?.code === "device_revoked") await removeDeviceKey();
        throw new Problem(response.status, value);
    }
}

/** Sends a request without a session, signed by the device. */
export const ask = (method, path, body) => send(method, path, body);

const accessOf = (tokens) => ({ accessToken: tokens.access_token, accessExpires: Date.now() + tokens.expires_in * 1000 });

/** Keeps what a sign-in gave. If that fails, nobody is signed in. */
export async function begin(tokens) {
    await updateSession(() => ({ account: tokens.account_id, refreshToken: tokens.refresh_token, ...accessOf(tokens) }));
    owner = tokens.account_id;
}

/** Keeps what a fresh sign-in of the session that there is gave: an access token, and no refresh token. */
export async function beginAgain(tokens) {
    await updateSession((session) => session?.account === tokens.account_id ? { ...session, ...accessOf(tokens) } : undefined);
}

/** Returns the session that the tabs share, if it is the one that this page is about. */
async function current() {
    const session = await loadSession();
    if (!session) {
        owner = undefined;
        throw new Problem(401, { code: "invalid_grant" });
    }
    // Somebody else has signed in, in another tab: what this one shows, and is about to do, is not meant for their account.
    if (owner !== undefined && owner !== session.account) {
        location.reload();
        throw new Problem(401, { code: "account_changed" });
    }
    owner = session.account;
    return session;
}

const isUsable = (session, stale) =>
    session.accessToken !== undefined && session.accessToken !== stale && Date.now() < session.accessExpires - margin;

/** Renews the tokens, unless another tab has done so. Returns the new access token. */
async function rotate(stale) {
    const session = await current();
    if (isUsable(session, stale)) return session.accessToken;
    try {
        const body = { refresh_token: session.refreshToken };
        const tokens = await send("POST", "/api/auth/token/validate", body, undefined, renewalPatience);
        // Not if something newer is kept by now, or nothing: another tab went on without the lock, or signed out.
        await updateSession((kept) => kept?.refreshToken === session.refreshToken
            ? { ...kept, refreshToken: tokens.refresh_token, ...accessOf(tokens) } : undefined);
        return tokens.access_token;
    } catch (error) {
        // Only a definite no ends the session; a failed connection or a busy server does not.
        if (error.code === "invalid_grant") {
            owner = undefined;
            await removeSession(session.refreshToken);
        }
        throw error;
    }
}

/** Returns an access token that is not `stale`, its own or another tab's. The lock is held for the renewal only. */
async function renewed(stale) {
    const signal = AbortSignal.timeout(lockPatience);
    return navigator.locks.request("fueki-refresh", { signal }, () => rotate(stale));
}

/** Returns an access token that is not `stale`. A tab that has to wait for one says so, and tries again. */
async function accessToken(stale) {
    for (let waits = false; ; waits = true) {
        try {
            const session = await current();
            const token = isUsable(session, stale) ? session.accessToken : await renewed(stale);
            if (waits) hooks.waiting();
            return token;
        } catch (error) {
            if (error.name === "TimeoutError") {
                hooks.waiting("other_tab");
            } else if (error.code === "rate_limited" && error.retryAfter <= longestWait) {
                hooks.waiting("rate_limited", error.retryAfter);
                await new Promise((resolve) => setTimeout(resolve, error.retryAfter * 1000));
            } else {
                throw error;
            }
        }
    }
}

let steppingUp;

/** Sends a request of the session. One that needs another token, or a fresh sign-in, gets it and is repeated once. */
export async function call(method, path, body) {
    let stale;
    let isFresh = false;
    for (;;) {
        const token = await accessToken(stale);
        try {
            return await send(method, path, body, token);
        } catch (error) {
            if (error.code === "invalid_token" && stale === undefined) {
                stale = token;
            } else if (error.code === "insufficient_user_authentication" && !isFresh) {
                isFresh = true;
                // Requests that are answered so at the same time share one.
                steppingUp ??= hooks.stepUp().finally(() => { steppingUp = undefined; });
                await steppingUp;
            } else {
                throw error;
            }
        }
    }
}

export const isSignedIn = async () => (await loadSession()) !== undefined;

/** Forgets everything that this browser keeps, the device's key too: who signs in here next is not known from before. */
export async function forget() {
    owner = undefined;
    forgetNonce();
    await removeAll();
}
