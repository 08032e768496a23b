// The account: what it has, and what can be done with it.

import { download, showCodes } from "/assets/codes.js";
import { ask } from "/assets/dialogs.js";
import { addPasskey, stepUp } from "/assets/passkeys.js";
import { call, forget } from "/assets/session.js";
import { button, element, onClick, row, say, show, when } from "/assets/view.js";
import { eventSentence } from "/assets/words.js";

// The account and the relying party as the server told of them last.
let shown = {};

/** Has the person use the passkey, now. */
export async function confirmByPasskey() {
    say("Confirm with your passkey.");
    await stepUp();
    say("");
}

/** Loads the account and shows it. */
export async function account() {
    const [current, passkeys, devices, sessions, events] = await Promise.all([
        ...["session", "passkeys", "devices", "sessions"].map((name) => call("GET", `/api/auth/${name}`)), eventsBefore(),
    ]);
    shown = { id: current.account_id, name: current.account_name, relyingParty: passkeys.rp_id };
    element("account-title").textContent = current.account_name;
    showFacts(current);
    element("passkeys").replaceChildren(...passkeys.passkeys.map(passkeyRow));
    showDevices(devices.devices, new Set(sessions.sessions.map((session) => session.device_id)));
    element("sessions").replaceChildren(...sessions.sessions.map(sessionRow));
    element("events").replaceChildren();
    addEvents(events);
    show("account");
}

const strengths = { aal1: "Basic", aal2: "Strong", aal3: "Very strong, by certified hardware" };

function showFacts({ session, recovery_codes_left: codes }) {
    const strength = strengths[session.acr.replace(/^.*:/, "")];
    const facts = [
        ["Signed in", when(session.auth_time)],
        ["Session ends", when(session.expires_at)],
        ...(strength ? [["Strength", strength]] : []),
        ["Recovery codes left", String(codes)],
    ];
    element("session-facts").replaceChildren(...facts.flatMap(([term, fact]) => {
        const [dt, dd] = [document.createElement("dt"), document.createElement("dd")];
        [dt.textContent, dd.textContent] = [term, fact];
        return [dt, dd];
    }));
}

// MARK: Passkeys, devices, sessions

/** Returns a button that asks for a new name. */
const renaming = (kind, name, path) => button("Rename", name, async () => {
    const chosen = await ask({ title: `Rename ${name}`, field: `New name of the ${kind}`, value: name, yes: "Rename" });
    if (!chosen || chosen === name) return;
    await call("PATCH", path, { name: chosen });
    await account();
});

function passkeyRow(passkey) {
    const path = `/api/auth/passkeys/${passkey.passkey_id}`;
    const used = passkey.last_used_at ? `last used ${when(passkey.last_used_at)}` : "not used since";
    return row(passkey.name, passkey.synchronised ? "on all your devices" : "on one device only", `Made ${when(passkey.created_at)}, ${used}`, [
        renaming("passkey", passkey.name, path),
        button("Remove", passkey.name, async () => {
            if (!(await ask({
                title: "Remove this passkey?", text: `You cannot sign in with “${passkey.name}” any more. Sessions that were begun with it go on.`,
                yes: "Remove", danger: true,
            }))) return;
            await call("DELETE", path);
            // So that the browser does not offer it any more.
            await PublicKeyCredential.signalUnknownCredential?.({ rpId: shown.relyingParty, credentialId: passkey.passkey_id });
            await account();
            say(`The passkey “${passkey.name}” was removed.`);
        }),
    ]);
}

/** Shows those that have a session; the others, of which each sign-out leaves one, lie folded up below. */
function showDevices(devices, active) {
    const idle = devices.filter((device) => !active.has(device.device_id));
    element("devices").replaceChildren(...devices.filter((device) => active.has(device.device_id)).map(deviceRow));
    element("idle-device-list").replaceChildren(...idle.map(deviceRow));
    element("idle-devices-title").textContent = `Signed-out devices: ${idle.length}`;
    element("idle-devices").hidden = idle.length === 0;
}

function deviceRow(device) {
    const path = `/api/auth/devices/${device.device_id}`;
    const buttons = [renaming("device", device.name, path)];
    if (!device.current) {
        buttons.push(button("Remove", device.name, async () => {
            if (!(await ask({
                title: "Remove this device?", text: `“${device.name}” is signed out at once. It can come back by a passkey, as a new device.`,
                yes: "Remove", danger: true,
            }))) return;
            await call("DELETE", path);
            await account();
            say(`The device “${device.name}” was removed.`);
        }));
    }
    const key = device.trust === "trusted" ? ", its key is in secure hardware" : "";
    return row(device.name, device.current ? "this one" : "", `Last seen ${when(device.last_seen_at)}${key}`, buttons);
}

function sessionRow(session) {
    const buttons = session.current ? [] : [button("Sign out", session.device_name, async () => {
        await call("DELETE", `/api/auth/sessions/${session.session_id}`);
        await account();
        say(`“${session.device_name}” was signed out.`);
    })];
    return row(session.device_name, session.current ? "this one" : "", `Since ${when(session.created_at)}, last used ${when(session.last_used_at)}`, buttons);
}

// MARK: Events

// As many as are looked at in passing, and as many more as somebody wants who searches.
const firstEvents = 5;
const moreEvents = 25;
// Where the next page begins.
let next;

const eventsBefore = (id) =>
    call("GET", `/api/account/events?limit=${id ? moreEvents : firstEvents}${id ? `&before=${id}` : ""}`);

function eventRow(event) {
    const place = event.address ? `from ${event.address}` : "by the server’s operator";
    const meta = [place, event.device_name && `on “${event.device_name}”`].filter(Boolean).join(", ");
    const item = row(eventSentence(event), "", "", []);
    const time = document.createElement("time");
    time.dateTime = new Date(event.at * 1000).toISOString();
    time.textContent = when(event.at);
    item.querySelector(".meta").append(time, ` ${meta}`);
    return item;
}

/** Adds a page of events to the list. Returns the first row. */
function addEvents(page) {
    const rows = page.events.map(eventRow);
    element("events").append(...rows);
    next = page.next;
    element("more-events").hidden = !next;
    return rows[0];
}

// MARK: Buttons

onClick("more-events", async () => {
    const first = addEvents(await eventsBefore(next));
    // The focus goes on where the list went on.
    if (first) {
        first.tabIndex = -1;
        first.focus();
    }
});
onClick("add-passkey", async () => {
    const passkey = await addPasskey();
    await account();
    say(`The passkey was added as “${passkey.name}”. You can rename it.`);
});
onClick("new-codes", async () => {
    if (!(await ask({
        title: "Make new recovery codes?",
        text: "All your old codes become void at once. You get ten new ones, which are shown once: have a place ready to save them. First you confirm with your passkey.",
        yes: "Make new codes", danger: true,
    }))) return;
    await confirmByPasskey();
    const { codes } = await call("POST", "/api/auth/recovery/codes", {});
    showCodes(codes, { account: shown.name, replaced: true, then: account });
});
onClick("sign-out-everywhere", async () => {
    await call("POST", "/api/auth/sessions/revoke-others", {});
    await account();
    say("All other sessions were signed out.");
});
onClick("export", async () => {
    const all = await call("GET", "/api/account/export");
    download("account.json", "application/json", JSON.stringify(all, null, 2));
    say("Your data were downloaded as account.json.");
});
onClick("erase", async () => {
    const agreed = await ask({
        title: "Delete your account?",
        text: `The account “${shown.name}”, its passkeys, devices and sessions, and all that the server keeps about it are deleted. This cannot be undone. First you confirm with your passkey.`,
        field: `To delete it, type its name: ${shown.name}`, must: shown.name, yes: "Delete my account", danger: true,
    });
    if (!agreed) return say("Nothing was deleted.");
    await confirmByPasskey();
    const { id, relyingParty } = shown;
    await call("DELETE", "/api/account");
    await forget();
    // So that the browser does not offer the passkeys any more.
    await PublicKeyCredential.signalAllAcceptedCredentials?.({ rpId: relyingParty, userId: id, allAcceptedCredentialIds: [] }).catch(() => {});
    document.dispatchEvent(new CustomEvent("left", { detail: "Your account was deleted." }));
});
onClick("sign-out", async () => {
    let message = "You are signed out.";
    try {
        await call("POST", "/api/auth/logout", {});
    } catch (error) {
        // Without a session there is nothing to end.
        if (!["invalid_grant", "invalid_token"].includes(error.code)) {
            message = "You are signed out here. The server could not be told: end the session from another device, or it ends by itself.";
        }
    } finally {
        await forget();
    }
    document.dispatchEvent(new CustomEvent("left", { detail: message }));
});
