// The page: which part of it is shown, and what its buttons do.

import { addPasskey, offerInField, recover, signIn, signUp, stepUp } from "/assets/passkeys.js";
import { Problem, call, end, isSignedIn } from "/assets/session.js";

const element = (id) => document.getElementById(id);
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const when = (seconds) => moment.format(new Date(seconds * 1000));

function show(section) {
    const isNew = element(section).hidden;
    for (const id of ["welcome", "codes", "account"]) element(id).hidden = id !== section;
    // Whoever cannot see that the page has changed is told; whoever works in the same part is not moved away.
    if (isNew || document.activeElement === document.body) element(section).querySelector("h1").focus();
    document.title = `${element(section).querySelector("h1").textContent} · Fueki`;
}

function say(text) {
    element("status").textContent = text;
    element("status").hidden = !text;
}

function complain(error) {
    const cancelled = error instanceof DOMException && ["NotAllowedError", "AbortError"].includes(error.name);
    element("error").textContent = cancelled ? "Cancelled, or no passkey for this." : error.message;
    element("error").hidden = false;
}

/** Runs what a button does: not twice at once, and with its error shown. */
async function run(button, action) {
    element("error").hidden = true;
    say("");
    if (button) button.disabled = true;
    try {
        await action();
    } catch (error) {
        if (error.code === "invalid_grant") {
            welcome();
            say("You were signed out. Sign in again.");
        } else {
            complain(error);
        }
    } finally {
        if (button) button.disabled = false;
    }
}

/** Does it; if the server wants a fresher sign-in first, signs in and does it again. */
async function sensitive(action) {
    try {
        return await action();
    } catch (error) {
        if (!(error instanceof Problem) || error.code !== "insufficient_user_authentication") throw error;
        say("Please confirm with your passkey.");
        await stepUp();
        say("");
        return action();
    }
}

function confirmed(text, yes, name) {
    const dialog = element("confirm");
    element("confirm-text").textContent = text;
    element("confirm-yes").textContent = yes;
    element("confirm-name").hidden = name === undefined;
    element("confirm-input").value = name ?? "";
    dialog.returnValue = "no";
    dialog.showModal();
    return new Promise((resolve) => {
        dialog.onclose = () => {
            const agreed = dialog.returnValue === "yes";
            resolve(agreed && (name === undefined || element("confirm-input").value.trim() || false));
        };
    });
}

function button(label, about, action) {
    const made = document.createElement("button");
    made.type = "button";
    made.className = "quiet";
    made.textContent = label;
    made.setAttribute("aria-label", `${label}: ${about}`);
    made.addEventListener("click", () => run(made, action));
    return made;
}

function row(name, tag, meta, buttons) {
    const item = document.createElement("li");
    const words = document.createElement("div");
    const title = document.createElement("strong");
    title.textContent = name;
    words.append(title);
    if (tag) {
        const mark = document.createElement("span");
        mark.className = "tag";
        mark.textContent = tag;
        words.append(" ", mark);
    }
    const line = document.createElement("p");
    line.className = "meta";
    line.textContent = meta;
    words.append(line);
    item.append(words, ...buttons);
    return item;
}

function passkeyRow(passkey, relyingParty) {
    const path = `/api/auth/passkeys/${passkey.passkey_id}`;
    return row(passkey.name, passkey.synchronised ? "synchronised" : "this device only", `made ${when(passkey.created_at)}, ${passkey.last_used_at ? `last used ${when(passkey.last_used_at)}` : "not used since"}`, [
        button("Rename", passkey.name, async () => {
            const name = await confirmed("A new name for this passkey", "Rename", passkey.name);
            if (name) await call("PATCH", path, { name }).then(account);
        }),
        button("Remove", passkey.name, async () => {
            if (await confirmed(`Remove the passkey “${passkey.name}”? It will not sign in any more.`, "Remove")) {
                await sensitive(() => call("DELETE", path));
                // So that the browser does not offer it any more.
                await PublicKeyCredential.signalUnknownCredential?.({ rpId: relyingParty, credentialId: passkey.passkey_id });
                await account();
            }
        }),
    ]);
}

function deviceRow(device) {
    const path = `/api/auth/devices/${device.device_id}`;
    const buttons = [button("Rename", device.name, async () => {
        const name = await confirmed("A new name for this device", "Rename", device.name);
        if (name) await call("PATCH", path, { name }).then(account);
    })];
    if (!device.current) {
        buttons.push(button("Revoke", device.name, async () => {
            if (await confirmed(`Sign “${device.name}” out, and forget it?`, "Revoke")) {
                await call("DELETE", path);
                await account();
            }
        }));
    }
    return row(device.name, device.current ? "this one" : "", `seen ${when(device.last_seen_at)}, key ${device.trust}`, buttons);
}

function sessionRow(session) {
    const buttons = session.current ? [] : [button("End", session.device_name, async () => {
        await call("DELETE", `/api/auth/sessions/${session.session_id}`);
        await account();
    })];
    return row(session.device_name, session.current ? "this one" : "", `since ${when(session.created_at)}, last used ${when(session.last_used_at)}`, buttons);
}

async function account() {
    const [current, passkeys, devices, sessions] = await Promise.all(
        ["session", "passkeys", "devices", "sessions"].map((name) => call("GET", `/api/auth/${name}`)));
    element("account-title").textContent = current.account_name;
    const facts = [
        ["Signed in", when(current.session.auth_time)],
        ["Session ends", when(current.session.expires_at)],
        ["Assurance", current.session.acr.replace(/^.*:/, "").toUpperCase()],
        ["Recovery codes left", String(current.recovery_codes_left)],
    ];
    element("session-facts").replaceChildren(...facts.flatMap(([term, fact]) => {
        const [dt, dd] = [document.createElement("dt"), document.createElement("dd")];
        [dt.textContent, dd.textContent] = [term, fact];
        return [dt, dd];
    }));
    element("passkeys").replaceChildren(...passkeys.passkeys.map((passkey) => passkeyRow(passkey, passkeys.rp_id)));
    element("devices").replaceChildren(...devices.devices.map(deviceRow));
    element("sessions").replaceChildren(...sessions.sessions.map(sessionRow));
    show("account");
}

function showCodes(codes) {
    element("code-list").replaceChildren(...codes.map((code) => {
        const item = document.createElement("li");
        item.textContent = code;
        return item;
    }));
    show("codes");
}

function welcome() {
    show("welcome");
    offer();
}

/** Waits for a passkey that is picked in the field, for as long as nothing else happens. */
async function offer() {
    try {
        if (await offerInField()) await account();
    } catch (error) {
        // Given up for the button, or no passkey was picked: neither is worth a message.
        if (!(error instanceof DOMException)) complain(error);
    }
}

function onSubmit(id, action) {
    const form = element(id);
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        run(form.querySelector("button"), () => action(new FormData(form)));
    });
}

function onClick(id, action) {
    element(id).addEventListener("click", () => run(element(id), action));
}

onSubmit("sign-in", async () => {
    await signIn();
    await account();
});
onSubmit("sign-up", async (form) => showCodes((await signUp(form.get("account").trim())).recovery_codes));
onSubmit("recover", async (form) => {
    const answer = await recover(form.get("code"));
    if (answer.recovery_codes) showCodes(answer.recovery_codes);
    else await account();
});
onClick("codes-done", async () => {
    element("code-list").replaceChildren();
    await account();
});
onClick("add-passkey", async () => {
    await sensitive(addPasskey);
    await account();
    say("The passkey was added.");
});
onClick("new-codes", async () => showCodes((await sensitive(() => call("POST", "/api/auth/recovery/codes", {}))).codes));
onClick("sign-out-everywhere", async () => {
    await call("POST", "/api/auth/sessions/revoke-others", {});
    await account();
    say("All other sessions were ended.");
});
onClick("export", async () => {
    const all = await sensitive(() => call("GET", "/api/account/export"));
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([JSON.stringify(all, null, 2)], { type: "application/json" }));
    link.download = "fueki-account.json";
    link.click();
    URL.revokeObjectURL(link.href);
});
onClick("erase", async () => {
    if (await confirmed("Delete this account, its passkeys and all that is stored about it? This cannot be undone.", "Delete")) {
        await sensitive(() => call("DELETE", "/api/account"));
        await end();
        welcome();
        say("The account was deleted.");
    }
});
onClick("sign-out", async () => {
    try {
        await call("POST", "/api/auth/logout", {});
    } finally {
        await end();
    }
    welcome();
});

if (!window.PublicKeyCredential?.parseCreationOptionsFromJSON) {
    show("welcome");
    complain(new Error("This browser is too old for passkeys."));
} else {
    run(undefined, async () => ((await isSignedIn()) ? account() : welcome()));
}
