// What this browser keeps: a key that cannot be read out, and the refresh token. Both in IndexedDB, of this origin only.

const open = new Promise((resolve, reject) => {
    const request = indexedDB.open("fueki", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("kept");
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
});

async function kept(mode, action) {
    const database = await open;
    return new Promise((resolve, reject) => {
        const transaction = database.transaction("kept", mode, { durability: "strict" });
        const request = action(transaction.objectStore("kept"));
        // Only when the transaction is complete is a new token really kept.
        transaction.oncomplete = () => resolve(request.result);
        transaction.onerror = transaction.onabort = () => reject(transaction.error);
    });
}

const load = (name) => kept("readonly", (store) => store.get(name));
const save = (name, value) => kept("readwrite", (store) => store.put(value, name));
const remove = (name) => kept("readwrite", (store) => store.delete(name));

/** The key that signs this device's proofs. The private half is not extractable. */
export async function deviceKey() {
    return navigator.locks.request("fueki-key", async () => {
        let pair = await load("device-key");
        if (!pair) {
            pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign"]);
            await save("device-key", pair);
        }
        return pair;
    });
}

export const loadRefreshToken = () => load("refresh-token");
export const saveRefreshToken = (token) => save("refresh-token", token);
export const removeRefreshToken = () => remove("refresh-token");

/** Gives the key up: the next sign-in is a new device's. */
export const removeDeviceKey = () => remove("device-key");
