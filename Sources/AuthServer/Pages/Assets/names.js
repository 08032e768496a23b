// Default names of new devices and passkeys. Their owner can rename them.

import { text } from "/assets/words.js";

// Providers of passkeys, by the AAGUID of their authenticators. Only for names: the AAGUID is the authenticator's own claim.
// Source: github.com/passkeydeveloper/passkey-authenticator-aaguids, of 2026-08-07; the names are the providers' own.
const providers = {
    "ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4": "Google Password Manager",
    "fbfc3007-154e-4ecc-8c0b-6e020557d7bd": "iCloud Keychain",
    "dd4ec289-e01d-41c9-bb89-70fa845d4bf2": "iCloud Keychain (managed)",
    "08987058-cadc-4b81-b6e1-30de50dcbe96": "Windows Hello",
    "9ddd1817-af5a-4672-a2b9-3e3dd95000a9": "Windows Hello",
    "6028b017-b1d4-4c02-b4b3-afcdafc96bb2": "Windows Hello",
    "d3452668-01fd-4c12-926c-83a4204853aa": "Microsoft Password Manager",
    "adce0002-35bc-c60a-648b-0b25f1f05503": "Chrome on Mac",
    "771b48fd-d3d4-4f74-9232-fc157ab0507a": "Edge on Mac",
    "53414d53-554e-4700-0000-000000000000": "Samsung Pass",
    "bada5566-a7aa-401f-bd96-45619a55120d": "1Password",
    "d548826e-79b4-db40-a3d8-11116f7e8349": "Bitwarden",
    "531126d6-e717-415c-9320-3d9aa6981239": "Dashlane",
    "0ea242b4-43c4-4a1b-8b17-dd6d0b6baec6": "Keeper",
    "b78a0a55-6ef8-d246-a042-ba0f6d55050c": "LastPass",
    "b84e4048-15dc-4dd0-8640-f4f60813c8af": "NordPass",
    "50726f74-6f6e-5061-7373-50726f746f6e": "Proton Pass",
    "f3809540-7f14-49c1-a8b3-8f813b225541": "Enpass",
    "fdb141b2-5d84-443e-8a35-4698c205a502": "KeePassXC",
};

// The maximum number of characters that the server accepts.
const longest = 64;

/** Returns a name for this browser, such as “Chrome on Windows”. */
export function deviceName() {
    const agent = navigator.userAgent;
    // The list always has an invented brand, which is to be ignored. A browser that is based on Chromium lists both names.
    const brands = (navigator.userAgentData?.brands ?? []).map((entry) => entry.brand).filter((brand) => !/not.*brand/i.test(brand));
    const brand = brands.find((name) => name !== "Chromium") ?? brands[0]
        ?? [["Edg", "Edge"], ["OPR", "Opera"], ["Firefox"], ["FxiOS", "Firefox"], ["CriOS", "Chrome"], ["Chrome"], ["Safari"]]
            .find(([mark]) => agent.includes(mark))?.at(-1);
    const system = navigator.userAgentData?.platform
        || [["Android"], ["iPhone"], ["iPad"], ["Mac"], ["Windows"], ["CrOS", "ChromeOS"], ["Linux"]]
            .find(([mark]) => agent.includes(mark))?.at(-1);
    if (!brand && !system) return text("names.some-browser");
    return (brand && system ? text("names.device", { browser: brand, system }) : brand ?? system).slice(0, longest);
}

// The place of the AAGUID of a new credential in the authenticator data: bytes 37 to 52 (WebAuthn Level 3 section 6.1).
function aaguid(credential) {
    const data = new Uint8Array(credential.response.getAuthenticatorData?.() ?? []);
    if (data.length < 53) return undefined;
    const digits = [...data.subarray(37, 53)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** Returns the name of a new passkey: its provider, or else this device, or the kind of its authenticator. */
export function passkeyName(credential) {
    const provider = providers[aaguid(credential)];
    if (provider) return provider;
    if (credential.authenticatorAttachment === "platform") return deviceName();
    const transports = credential.response.getTransports?.() ?? [];
    if (transports.includes("hybrid")) return text("names.phone");
    return text(credential.authenticatorAttachment === "cross-platform" ? "names.security-key" : "names.passkey");
}
