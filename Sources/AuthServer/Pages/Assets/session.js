// Requests of a session.
//
// All tabs share its tokens, which are in IndexedDB, beside the key that they are bound to. The access token may be stored there, too:
// without the key, which cannot be read out, it is useless (RFC 9449), and a script or a thief that can read it can also read the
// refresh token beside it, which is more valuable. So a new tab finds a valid token, and if many tabs find none, one of them renews
// it for all. With a BroadcastChannel, another tab would have to be open to answer, and the two tokens could not be replaced in one
// transaction.

import { loadSession, removeAll, removeDeviceKey, removeSession, updateSession } from "/assets/keys.js";
import { forgetNonce, learnNonce, proof } from "/assets/proof.js";

// The maximum time of a response. Many sign-ups at once take long. The tab that holds the lock waits for a shorter time.
const answerPatience = 60_000;
const renewalPatience = 10_000;
// The time for which a tab waits for another one that renews the tokens, before it shows a message. The other one holds the lock for
// one request, and a second one with a new nonce, unless it is frozen.
const lockPatience = 5_000;
// A token that is valid for less than this time is renewed before it is used.
const margin = 5_000;
// The longest waiting time of the server, in seconds, for which the page waits and tries again.
const longestWait = 60;

/** The functions of the page that a session calls. */
export const hooks = {
    /** Asks the user to use the passkey again. */
    stepUp: async () => {},
    /** Tells the user the reason for a delay: `other_tab`, or `rate_limited` with the seconds. Without a reason the delay is over. */
    waiting: () => {},
};

// The id of the account that this page shows.
let owner;

/** An error response of the server, by its code. Further codes of this page: `unreachable`, `account_changed`. */
export class Problem extends Error {
    constructor(status, body) {
        super(body?.code ?? `status ${status}`);
        this.status = status;
        this.code = body?.code ?? (status >= 500 ? "unavailable" : undefined);
        this.retryAfter = body?.retry_after;
    }
}

// After these requests the server makes the browser clear its data (`Clear-Site-Data`). Browsers do that only for a request that
// could have credentials. The page sets one cookie, for the language.
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
    // The second proof has the nonce of the first response.
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

/** Stores the tokens of a sign-in. If that fails, no session begins. */
export async function begin(tokens) {
    await updateSession(() => ({ account: tokens.account_id, refreshToken: tokens.refresh_token, ...accessOf(tokens) }));
    owner = tokens.account_id;
}

/** Stores the access token of a step-up in the present session. A step-up returns no refresh token. */
export async function beginAgain(tokens) {
    await updateSession((session) => session?.account === tokens.account_id ? { ...session, ...accessOf(tokens) } : undefined);
}

/** Returns the session that the tabs share, if it is of the account that this page shows. */
async function current() {
    const session = await loadSession();
    if (!session) {
        owner = undefined;
        throw new Problem(401, { code: "invalid_grant" });
    }
    // Another user has signed in in another tab: the contents and the next action of this tab are not meant for that account.
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
        // Not if the stored session is newer or removed: another tab renewed it without the lock, or signed out.
        await updateSession((kept) => kept?.refreshToken === session.refreshToken
            ? { ...kept, refreshToken: tokens.refresh_token, ...accessOf(tokens) } : undefined);
        return tokens.access_token;
    } catch (error) {
        // Only a definite refusal ends the session; a failed connection or a busy server does not.
        if (error.code === "invalid_grant") {
            owner = undefined;
            await removeSession(session.refreshToken);
        }
        throw error;
    }
}

/** Returns an access token other than `stale`, from this tab or another one. The lock is held for the renewal only. */
async function renewed(stale) {
    const signal = AbortSignal.timeout(lockPatience);
    return navigator.locks.request("fueki-refresh", { signal }, () => rotate(stale));
}

/** Returns an access token other than `stale`. A tab that has to wait for one shows a message, and tries again. */
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

/** Sends a request of the session. If it needs another token or a step-up, gets it and repeats the request once. */
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
                // Requests that need a step-up at the same time share one.
                steppingUp ??= hooks.stepUp().finally(() => { steppingUp = undefined; });
                await steppingUp;
            } else {
                throw error;
            }
        }
    }
}

export const isSignedIn = async () => (await loadSession()) !== undefined;

/** Removes all data from this browser, the device's key too: the next sign-in here is that of a new device. */
export async function forget() {
    owner = undefined;
    forgetNonce();
    await removeAll();
}
