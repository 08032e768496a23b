// What the page says to people: of problems, by their codes; of the browser's errors, by their names; of events, by their kinds.

/** An error whose message is for people. */
export class Said extends Error {}

const again = "Load the page again and try once more.";

/** Problems of the server and of this page. Each says what happened, and what to do next. */
const problems = {
    unreachable: "The server could not be reached. Check your connection and try again.",
    account_changed: "Another account was signed in in another tab. The page shows that one now.",
    malformed_request: "The server did not understand what was entered. Names have 1 to 64 characters: check what you typed.",
    too_large: "What was sent is too large for the server. Try it with less.",
    unsupported_media_type: `This page and the server do not fit together any more. ${again}`,
    not_found: "This is no longer there. Load the page again to see what is.",
    method_not_allowed: `This page and the server do not fit together any more. ${again}`,
    proxy_required: "This server is not reached this way. Open the page at its usual address.",
    client_unnamed: "The server could not tell where you come from. Tell the person who runs it.",
    invalid_client: `The server did not accept this page. ${again}`,
    invalid_token: "You were signed out. Sign in again.",
    use_dpop_nonce: `The server did not accept the request. ${again}`,
    invalid_dpop_proof: "The server did not accept the request. Check that the clock of this device is right, and load the page again.",
    insufficient_user_authentication: "Your passkey has to be used again for this. Try once more.",
    rate_limited: "There were too many attempts. You stay signed in.",
    device_revoked: "This device was removed from an account earlier. It has made a new key now: try again.",
    account_locked: "This account is locked. Ask the person who runs the server to unlock it.",
    invalid_grant: "You were signed out. Sign in again.",
    unsupported_grant_type: `This page and the server do not fit together any more. ${again}`,
    challenge_invalid: "That took place on another device or for another purpose. Try again.",
    challenge_expired: "That took too long. Try again.",
    challenge_used: "That was done already. Load the page again to see what came of it.",
    origin_not_allowed: "The passkey belongs to another address than this page’s. Open the page at its usual address.",
    user_verification_required: "The passkey did not check that it is you. Unlock it with your fingerprint, face or PIN, and try again.",
    passkey_refused: "The passkey was refused. Try again, or use another passkey.",
    passkey_unknown: "This server does not know that passkey: it was removed, or its account was deleted. Choose another one.",
    passkey_exists: "This passkey is there already. Choose another device or another place for a new one.",
    passkey_last: "This is your only passkey. Add another one before you remove it.",
    attestation_refused: "This server does not accept passkeys of this kind. Choose another device, or ask who runs the server.",
    attestation_unsupported: "This server cannot check this kind of device. Choose another device.",
    limit_reached: "There are as many of these as an account may have. Remove one first.",
    sign_up_closed: "This server takes no new accounts.",
    invitation_refused: "This invitation code is not right, was used before, or is too old. Check how you typed it, or ask for another one.",
    recovery_refused: "This recovery code is not right, or was used before. Check how you typed it, or take another one.",
    unavailable: "The server is busy. It may have done what you asked, or not: load the page again to see, then try again.",
    internal_error: "The server made a mistake, and has noted it. Try again later.",
};

/** Errors of the browser (WebAuthn Level 3 sections 5.1.3 and 5.1.4, and its storage). Its own words for them are for programmers. */
const failures = {
    NotAllowedError: "No passkey was used: it was cancelled, took too long, or this device has none that fits. Try again.",
    AbortError: "It was stopped before it was done. Try again.",
    TimeoutError: "It took too long. Try again.",
    InvalidStateError: "This device already has a passkey for the account. Use that one, or choose another device.",
    ConstraintError: "This device cannot check that it is you. Set up a screen lock or PIN on it, or choose another device.",
    NotSupportedError: "This device cannot make a passkey that the server accepts. Choose another device.",
    SecurityError: "Passkeys do not work at this address. Open the page at its usual address.",
    UnknownError: "The device could not finish this. Try again, or choose another device.",
    OperationError: "Another request for a passkey is still open. Close it and try again.",
    QuotaExceededError: "This browser has no room left to keep you signed in. Free some space and try again.",
};

function duration(seconds) {
    const [count, unit] = seconds < 100 ? [seconds, "second"] : [Math.ceil(seconds / 60), "minute"];
    return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** Returns what to say of an error. */
export function sentence(error) {
    if (error instanceof Said) return error.message;
    if (error instanceof DOMException) return failures[error.name] ?? `The browser could not do this. ${again}`;
    if (error.code === "rate_limited" && error.retryAfter) {
        return `${problems.rate_limited} Wait ${duration(error.retryAfter)} and try again.`;
    }
    return problems[error.code] ?? `Something went wrong. ${again}`;
}

/** Why this takes longer. */
export const reasons = {
    other_tab: () => "Another tab of this page is renewing your sign-in. This one waits for it, and tries again by itself. If this stays, close the other tab.",
    rate_limited: (seconds) => `The server is busy. The page tries again in ${duration(seconds)}. You stay signed in.`,
};

const events = {
    account_created: "The account was made",
    account_erased: "The account was deleted",
    account_exported: "The data of the account were downloaded",
    account_locked: "The account was locked by the person who runs the server",
    account_unlocked: "The account was unlocked",
    passkey_added: "A passkey was added",
    passkey_removed: "A passkey was removed",
    passkey_trust_lost: "A passkey counts as less safe than before: its maker is not trusted any more",
    signed_in: "Signed in with a passkey",
    sign_in_refused: "A sign-in with a passkey was refused",
    stepped_up: "Confirmed with a passkey",
    sign_count_fell: "A sign-in was refused because the passkey may have been copied. If this happens again, remove that passkey",
    backup_eligibility_raised: "A passkey of one device can be on several devices now",
    session_ended: "Signed out",
    refresh_token_reused: "A session was ended because its key material was used twice. If you do not know the device, remove it",
    device_added: "A new device was added",
    device_revoked: "A device was removed",
    device_attested: "A device has shown where it keeps its key",
    device_trust_lost: "A device counts as less safe than before: its maker is not trusted any more",
    recovery_codes_made: "New recovery codes were made, and the old ones became void",
    recovery_refused: "A recovery code that was used before or was not right was refused",
    account_recovered: "A recovery code was used to get into the account",
    invitations_made: "Invitations were made",
};

/** Returns one sentence about an event. */
export function eventSentence(event) {
    if (event.kind === "session_ended" && event.reason === "all others") return "Signed out everywhere else.";
    return `${events[event.kind] ?? "Something happened that this page has no words for"}.`;
}
