#!/usr/bin/python3
"""Another program of the user, which talks to the Secret Service without libsecret and without Fueki's code.

    keyring_client.py lock
    keyring_client.py add SERVICE ACCOUNT TEXT       adds an item, beside an existing one
    keyring_client.py add-to-session SERVICE ACCOUNT TEXT    adds it to the collection of the session
    keyring_client.py put SERVICE ACCOUNT TEXT       replaces the text of the existing items
    keyring_client.py get SERVICE ACCOUNT            prints the texts, one a line
    keyring_client.py attributes SERVICE ACCOUNT     prints the attributes as JSON
    keyring_client.py read SERVICE ACCOUNT           decodes the item as docs/formats/secret-service.md says, as JSON
"""
import base64
import json
import sys
import zlib

import dbus

BASE = "/org/freedesktop/secrets"
NAME = "org.freedesktop.secrets"


def decoded(text):
    data = base64.b64decode(text, validate=True)
    assert data[:8] == b"FuekiItm" and data[8] == 1, "not an envelope of version 1"
    assert data[9] == 1, "unknown attributes"
    assert zlib.crc32(data[:-4]) == int.from_bytes(data[-4:], "big"), "wrong checksum"
    at = 13
    parts = []
    for _ in range(2):
        size = data[at]
        parts.append(data[at + 1:at + 1 + size].decode("ascii"))
        at += 1 + size
    size = int.from_bytes(data[at:at + 4], "big")
    secret = data[at + 4:-4]
    assert len(secret) == size, "wrong size"
    return {
        "kind": data[10], "class": data[11], "accessibility": data[12], "service": parts[0], "account": parts[1],
        "secret": secret.decode("utf-8")}


def main():
    bus = dbus.SessionBus()
    service = dbus.Interface(bus.get_object(NAME, BASE), "org.freedesktop.Secret.Service")
    command = sys.argv[1]
    if command == "lock":
        service.Lock([service.ReadAlias("default")])
        return
    account = dbus.Dictionary({"fueki-service": sys.argv[2], "fueki-account": sys.argv[3]}, signature="ss")
    _, session = service.OpenSession("plain", dbus.String("", variant_level=1))
    items = service.SearchItems(account)[0]
    secret = None
    if len(sys.argv) > 4:
        secret = dbus.Struct(
            (session, dbus.ByteArray(b""), dbus.ByteArray(sys.argv[4].encode()), "text/plain"), signature="oayays")
    if command in ("add", "add-to-session"):
        path = service.ReadAlias("default" if command == "add" else "session")
        collection = dbus.Interface(bus.get_object(NAME, path), "org.freedesktop.Secret.Collection")
        collection.CreateItem(
            dbus.Dictionary({
                "org.freedesktop.Secret.Item.Label": "from another program",
                "org.freedesktop.Secret.Item.Attributes": account}, signature="sv"), secret, False)
        return
    for path in items:
        item = bus.get_object(NAME, path)
        if command == "put":
            dbus.Interface(item, "org.freedesktop.Secret.Item").SetSecret(secret)
            continue
        if command == "attributes":
            properties = dbus.Interface(item, "org.freedesktop.DBus.Properties")
            print(json.dumps(properties.Get("org.freedesktop.Secret.Item", "Attributes"), sort_keys=True))
            continue
        text = bytes(dbus.Interface(item, "org.freedesktop.Secret.Item").GetSecret(session, byte_arrays=True)[2])
        print(json.dumps(decoded(text)) if command == "read" else text.decode())


if __name__ == "__main__":
    main()
