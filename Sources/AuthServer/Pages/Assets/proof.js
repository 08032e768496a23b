// DPoP proofs (RFC 9449): each request is signed by this device's key.

import { deviceKey } from "/assets/keys.js";

const text = new TextEncoder();

export function base64url(bytes) {
    return btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

let nonce;

/** The server says in every answer which nonce the next proof has to have. */
export function learnNonce(response) {
    nonce = response.headers.get("DPoP-Nonce") ?? nonce;
}

export async function proof(method, path, accessToken) {
    const key = await deviceKey();
    const { kty, crv, x, y } = await crypto.subtle.exportKey("jwk", key.publicKey);
    const header = { typ: "dpop+jwt", alg: "ES256", jwk: { kty, crv, x, y } };
    const claims = {
        jti: base64url(crypto.getRandomValues(new Uint8Array(16))),
        htm: method,
        htu: location.origin + path,
        iat: Math.floor(Date.now() / 1000),
    };
    if (nonce) claims.nonce = nonce;
    if (accessToken) claims.ath = base64url(await crypto.subtle.digest("SHA-256", text.encode(accessToken)));
    const input = [header, claims].map((part) => base64url(text.encode(JSON.stringify(part)))).join(".");
    const signature = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, key.privateKey, text.encode(input));
    return `${input}.${base64url(signature)}`;
}
