// DPoP proofs (RFC 9449): each request is signed by this device's key.

import { deviceKey } from "/assets/keys.js";

const text = new TextEncoder();

export function base64url(bytes) {
    return btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

const place = "fueki-nonce";

/**
 * Stores the nonce for the next proof, which is in every response of the server. It is in local storage, so that a new tab begins
 * with the last nonce that any tab received, and is not refused at first. The nonce is not secret.
 */
export function learnNonce(response) {
    const nonce = response.headers.get("DPoP-Nonce");
    if (nonce) localStorage.setItem(place, nonce);
}

export const forgetNonce = () => localStorage.removeItem(place);

export async function proof(method, path, accessToken) {
    const key = await deviceKey();
    const { kty, crv, x, y } = await crypto.subtle.exportKey("jwk", key.publicKey);
    const header = { typ: "dpop+jwt", alg: "ES256", jwk: { kty, crv, x, y } };
    const claims = {
        jti: base64url(crypto.getRandomValues(new Uint8Array(16))),
        htm: method,
        // RFC 9449 section 4.2: without the query.
        htu: location.origin + path.split("?", 1)[0],
        iat: Math.floor(Date.now() / 1000),
    };
    const nonce = localStorage.getItem(place);
    if (nonce) claims.nonce = nonce;
    if (accessToken) claims.ath = base64url(await crypto.subtle.digest("SHA-256", text.encode(accessToken)));
    const input = [header, claims].map((part) => base64url(text.encode(JSON.stringify(part)))).join(".");
    const signature = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, key.privateKey, text.encode(input));
    return `${input}.${base64url(signature)}`;
}
