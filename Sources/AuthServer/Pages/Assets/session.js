// Requests of a session. The access token is in memory only; the refresh token is replaced at each use.

import { loadRefreshToken, removeDeviceKey, removeRefreshToken, saveRefreshToken } from "/assets/keys.js";
import { learnNonce, proof } from "/assets/proof.js";

let access;
// Whose account this page shows.
let owner;

/** What the server said went wrong. */
export class Problem extends Error {
    constructor(status, body) {
        super(body?.title ?? `The server answered with status ${status}.`);
        this.status = status;
        this.code = body?.code;
        this.maxAge = body?.max_age;
        this.retryAfter = body?.retry_after;
    }
}

async function send(method, path, body, token) {
    // The second time the proof has the nonce that the first answer asked for.
    for (let attempt = 0; ; attempt += 1) {
        const headers = { DPoP: await proof(method, path, token) };
        if (token) headers.Authorization = `DPoP ${token}`;
        if (body !== undefined) headers["Content-Type"] = "application/json";
        const response = await fetch(path, {
            method, headers, body: body === undefined ? undefined : JSON.stringify(body), credentials: "omit", cache: "no-store",
        });
        learnNonce(response);
        const answer = response.status === 204 ? undefined : await response.json().catch(() => undefined);
        if (response.ok) return answer;
        if (answer?.code === "use_dpop_nonce" && attempt === 0) continue;
        if (answer?.code === "device_revoked") await removeDeviceKey();
        throw new Problem(response.status, answer);
    }
}

/** A request without a session, signed by the device. */
export const ask = (method, path, body) => send(method, path, body);

/** Keeps what a sign-in gave. The refresh token first: if that fails, nothing is signed in. */
export async function begin(tokens) {
    if (tokens.refresh_token) await saveRefreshToken(tokens.refresh_token);
    // Somebody else has signed in, in another tab: what this one shows, and is about to do, is not meant for their account.
    if (owner !== undefined && owner !== tokens.account_id) {
        location.reload();
        throw new Problem(401, { title: "Somebody else has signed in." });
    }
    owner = tokens.account_id;
    access = tokens.access_token;
}

// All tabs share one refresh token: whoever has the lock uses it, the others find the new one.
async function renew(stale) {
    return navigator.locks.request("fueki-refresh", async () => {
        if (access && access !== stale) return;
        const token = await loadRefreshToken();
        if (!token) {
            access = owner = undefined;
            throw new Problem(401, { title: "You are signed out.", code: "invalid_grant" });
        }
        for (;;) {
            try {
                return await begin(await send("POST", "/api/auth/token/validate", { refresh_token: token }));
            } catch (error) {
                // Only a definite no ends the session; a failed connection or a busy server does not.
                if (error.code === "invalid_grant") await end();
                if (error.code !== "rate_limited" || !(error.retryAfter <= 60)) throw error;
                // Whoever loads the page again and again has to wait, and stays signed in.
                await new Promise((resolve) => setTimeout(resolve, error.retryAfter * 1000));
            }
        }
    });
}

/** A request of the session. An access token that has expired is renewed once. */
export async function call(method, path, body) {
    if (!access) await renew(undefined);
    const used = access;
    try {
        return await send(method, path, body, used);
    } catch (error) {
        if (error.code !== "invalid_token") throw error;
        await renew(used);
        return send(method, path, body, access);
    }
}

export async function isSignedIn() {
    return access !== undefined || (await loadRefreshToken()) !== undefined;
}

export async function end() {
    access = owner = undefined;
    await removeRefreshToken();
}
