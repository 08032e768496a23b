// The account: its data, and the actions on it.

import { download, showCodes } from "/assets/codes.js";
import { ask } from "/assets/dialogs.js";
import { addPasskey, stepUp } from "/assets/passkeys.js";
import { call, forget } from "/assets/session.js";
import { addToTimeline, clearTimeline } from "/assets/timeline.js";
import { ago, day, timeElement } from "/assets/times.js";
import { button, element, onClick, row, say, show } from "/assets/view.js";
import { counted, text } from "/assets/words.js";

// The account and the relying party, as in the server's last response.
let shown = {};

/** Asks the user to confirm with the passkey now. */
export async function confirmByPasskey() {
    say(text("account.confirm"));
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
    element("one-passkey").hidden = passkeys.passkeys.length !== 1;
    showDevices(devices.devices, sessions.sessions);
    clearTimeline();
    addEvents(events);
    show("account");
}

// From this number on, the page does not advise the user to make new recovery codes.
const enoughCodes = 4;
const strengths = ["aal1", "aal2", "aal3"];

function showFacts({ session, recovery_codes_left: codes }) {
    const strength = session.acr.replace(/^.*:/, "");
    const facts = [
        ["facts.signed-in", timeElement(session.auth_time)],
        ["facts.ends", timeElement(session.expires_at, day(session.expires_at))],
        ...(strengths.includes(strength) ? [["facts.strength", text(`strength.${strength}`)]] : []),
        ["facts.codes", String(codes)],
    ];
    element("session-facts").replaceChildren(...facts.map(([key, fact]) => {
        const [group, term, value] = ["div", "dt", "dd"].map((name) => document.createElement(name));
        term.textContent = text(key);
        value.append(fact);
        group.append(term, value);
        return group;
    }));
    element("few-codes").hidden = codes >= enoughCodes;
    element("few-codes").textContent = codes === 0 ? text("codes.few.none") : counted("codes.few", codes);
}

// MARK: Passkeys and devices

/** Returns a button that asks for a new name. */
const renaming = (field, name, path) => button("action.rename", name, async () => {
    const chosen = await ask({
        title: text("action.rename-title", { name }), field: text(field), value: name, yes: text("action.rename"),
    });
    if (!chosen || chosen === name) return;
    await call("PATCH", path, { name: chosen });
    await account();
});

function passkeyRow(passkey) {
    const path = `/api/auth/passkeys/${passkey.passkey_id}`;
    const { name } = passkey;
    const used = passkey.last_used_at ? text("passkeys.used", { time: ago(passkey.last_used_at) }) : text("passkeys.unused");
    const line = `${text("passkeys.created", { date: day(passkey.created_at) })}, ${used}`;
    // Two passkeys can have one name: the person must not remove the one that this browser has.
    const lines = passkey.current ? [line, text("passkeys.this")] : [line];
    return row(name, text(passkey.synchronised ? "passkeys.synchronised" : "passkeys.single"), lines, [
        renaming("passkeys.rename", name, path),
        button("action.remove", name, async () => {
            if (!(await ask({
                title: text("passkeys.remove-title"), words: text("passkeys.remove-text", { name }), yes: text("action.remove"),
                danger: true,
            }))) return;
            await call("DELETE", path);
            // So that the browser no longer offers the passkey.
            await PublicKeyCredential.signalUnknownCredential?.({ rpId: shown.relyingParty, credentialId: passkey.passkey_id });
            await account();
            say(text("passkeys.removed", { name }));
        }),
    ]);
}

/** Shows the devices that have a session. The others, one for each sign-out, are in a list that is folded up. */
function showDevices(devices, sessions) {
    const rows = devices.map((device) => [device, sessions.filter((session) => session.device_id === device.device_id)]);
    // This device first, then by the time of the last use.
    rows.sort(([one], [two]) => two.current - one.current || two.last_seen_at - one.last_seen_at);
    const [active, idle] = [rows.filter(([, own]) => own.length > 0), rows.filter(([, own]) => own.length === 0)];
    element("devices").replaceChildren(...active.map(([device, own]) => deviceRow(device, own)));
    element("idle-device-list").replaceChildren(...idle.map(([device]) => deviceRow(device, [])));
    element("idle-devices-title").textContent = text("devices.idle", { count: idle.length });
    element("idle-devices").hidden = idle.length === 0;
}

function deviceRow(device, sessions) {
    const { name } = device;
    const path = `/api/auth/devices/${device.device_id}`;
    const buttons = [renaming("devices.rename", name, path)];
    const others = sessions.filter((session) => !session.current);
    if (others.length > 0) buttons.push(button("devices.sign-out", name, async () => {
        for (const session of others) await call("DELETE", `/api/auth/sessions/${session.session_id}`);
        await account();
        say(text("devices.signed-out", { name }));
    }));
    if (!device.current) buttons.push(button("action.remove", name, async () => {
        if (!(await ask({
            title: text("devices.remove-title"), words: text("devices.remove-text", { name }), yes: text("action.remove"), danger: true,
        }))) return;
        await call("DELETE", path);
        await account();
        say(text("devices.removed", { name }));
    }));
    const lines = sessions.map((session) =>
        text("devices.session", { since: ago(session.created_at), time: ago(session.last_used_at) }));
    if (lines.length === 0) lines.push(text("devices.last-seen", { time: ago(device.last_seen_at) }));
    if (device.trust === "trusted") lines.push(text("devices.hardware"));
    const made = row(name, device.current ? text("devices.this") : "", lines, buttons);
    for (const line of [...made.querySelectorAll(".meta")].slice(0, sessions.length)) line.classList.add("session");
    return made;
}

// MARK: Events

// The first page of events is short; further pages, for a user who searches, are longer.
const firstEvents = 5;
const moreEvents = 25;
// The start of the next page.
let next;

const eventsBefore = (id) =>
    call("GET", `/api/account/events?limit=${id ? moreEvents : firstEvents}${id ? `&before=${id}` : ""}`);

/** Adds a page of events to the timeline. Returns its first item. */
function addEvents(page) {
    const first = addToTimeline(page.events);
    next = page.next;
    element("more-events").hidden = !next;
    return first;
}

// MARK: Buttons

onClick("more-events", async () => {
    const first = addEvents(await eventsBefore(next));
    // The focus moves to the first new item.
    if (first) {
        first.tabIndex = -1;
        first.focus();
    }
});
onClick("add-passkey", async () => {
    const passkey = await addPasskey();
    await account();
    say(text("passkeys.added", { name: passkey.name }));
});
onClick("new-codes", async () => {
    if (!(await ask({
        title: text("codes.new-title"), words: text("codes.new-text"), yes: text("codes.new-yes"), danger: true,
    }))) return;
    await confirmByPasskey();
    const { codes } = await call("POST", "/api/auth/recovery/codes", {});
    showCodes(codes, { account: shown.name, replaced: true, then: account });
});
onClick("sign-out-everywhere", async () => {
    await call("POST", "/api/auth/sessions/revoke-others", {});
    await account();
    say(text("devices.others-signed-out"));
});
onClick("export", async () => {
    const all = await call("GET", "/api/account/export");
    const file = text("data.export-name");
    download(file, "application/json", JSON.stringify(all, null, 2));
    say(text("data.exported", { file }));
});
onClick("erase", async () => {
    const { name } = shown;
    const agreed = await ask({
        title: text("erase.title"), words: text("erase.text", { name }), field: text("erase.field", { name }), must: name,
        yes: text("erase.yes"), danger: true,
    });
    if (!agreed) return say(text("erase.nothing"));
    await confirmByPasskey();
    const { id, relyingParty } = shown;
    await call("DELETE", "/api/account");
    await forget();
    // So that the browser no longer offers the passkeys.
    await PublicKeyCredential.signalAllAcceptedCredentials?.({ rpId: relyingParty, userId: id, allAcceptedCredentialIds: [] }).catch(() => {});
    document.dispatchEvent(new CustomEvent("left", { detail: text("erase.done") }));
});
onClick("sign-out", async () => {
    let message = text("account.signed-out");
    try {
        await call("POST", "/api/auth/logout", {});
    } catch (error) {
        // Without a session, no session has to be ended.
        if (!["invalid_grant", "invalid_token"].includes(error.code)) message = text("account.signed-out-here");
    } finally {
        await forget();
    }
    document.dispatchEvent(new CustomEvent("left", { detail: message }));
});
