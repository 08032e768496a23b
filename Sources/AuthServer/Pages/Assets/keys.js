// The data of this origin in IndexedDB: a device key that cannot be read out, and the tokens of the session.

let opened;

function database() {
    opened ??= new Promise((resolve, reject) => {
        const request = indexedDB.open("fueki", 1);
        request.onupgradeneeded = () => request.result.createObjectStore("kept");
        request.onsuccess = () => {
            const database = request.result;
            // The browser closes the database when the site's data is cleared, as at sign-out. The next use opens a new one.
            database.onclose = forget;
            database.onversionchange = () => {
                database.close();
                forget();
            };
            resolve(database);
        };
        request.onerror = () => {
            forget();
            reject(request.error);
        };
    });
    return opened;
}

function forget() {
    opened = undefined;
}

async function transact(mode, action) {
    const open = await database();
    return new Promise((resolve, reject) => {
        const transaction = open.transaction("kept", mode, { durability: "strict" });
        let result;
        action(transaction.objectStore("kept"), (value) => { result = value; });
        // A new token is stored only when the transaction is complete.
        transaction.oncomplete = () => resolve(result);
        transaction.onabort = () => reject(transaction.error ?? new DOMException("", "AbortError"));
    });
}

/** Runs a transaction, and repeats it once if the database was just being closed. */
async function kept(mode, action) {
    try {
        return await transact(mode, action);
    } catch (error) {
        if (!["InvalidStateError", "AbortError"].includes(error.name)) throw error;
        forget();
        return transact(mode, action);
    }
}

const load = (name) => kept("readonly", (store, give) => {
    store.get(name).onsuccess = (event) => give(event.target.result);
});
const save = (name, value) => kept("readwrite", (store) => store.put(value, name));

/** Replaces a value by the result of `change` in one transaction, so that no other tab writes in between. Undefined changes nothing. */
const update = (name, change) => kept("readwrite", (store, give) => {
    store.get(name).onsuccess = (event) => {
        const value = change(event.target.result);
        if (value !== undefined) store.put(value, name);
        give(value);
    };
});

/** Returns the key that signs this device's proofs. The private half is not extractable. */
export async function deviceKey() {
    return (await load("device-key")) ?? navigator.locks.request("fueki-key", async () => {
        let pair = await load("device-key");
        if (!pair) {
            pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign"]);
            await save("device-key", pair);
        }
        return pair;
    });
}

/** Removes the key: the next sign-in is that of a new device. */
export const removeDeviceKey = () => kept("readwrite", (store) => store.delete("device-key"));

/** Returns the session that all tabs share: `account`, `refreshToken`, `accessToken`, `accessExpires`. */
export const loadSession = () => load("session");
export const updateSession = (change) => update("session", change);

/** Removes the session, if it still has that refresh token. */
export const removeSession = (refreshToken) => kept("readwrite", (store) => {
    store.get("session").onsuccess = (event) => {
        if (event.target.result?.refreshToken === refreshToken) store.delete("session");
    };
});

/** Removes all data, the key too. */
export const removeAll = () => kept("readwrite", (store) => store.clear());
