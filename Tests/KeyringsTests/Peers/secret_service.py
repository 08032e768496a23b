#!/usr/bin/python3
"""A Secret Service for tests, with faults: a double of a keyring daemon.

    secret_service.py FILE [BEHAVIOUR]

It keeps its items in FILE, so that they survive a restart. `dbus-send ... fueki.Double.Behave string:NAME` changes the
behaviour while it runs. It prints "ready", and a line for each prompt that is shown or dismissed.
"""
import base64
import hashlib
import hmac
import json
import os
import secrets
import sys
import time

import dbus
import dbus.mainloop.glib
import dbus.service
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from gi.repository import GLib

BASE = "/org/freedesktop/secrets"
SERVICE = "org.freedesktop.Secret.Service"
COLLECTION = "org.freedesktop.Secret.Collection"
ITEM = "org.freedesktop.Secret.Item"
PROMPT = "org.freedesktop.Secret.Prompt"
SESSION = "org.freedesktop.Secret.Session"
PROPERTIES = "org.freedesktop.DBus.Properties"
DEFAULT = BASE + "/collection/double"
TRANSIENT = BASE + "/collection/session"
ALGORITHM = "dh-ietf1024-sha256-aes128-cbc-pkcs7"
# The second Oakley group, RFC 2409, section 6.2.
PRIME = int(
    "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DD"
    "EF9519B3CD3A431B302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED"
    "EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE65381FFFFFFFFFFFFFFFF", 16)


class Failure(dbus.DBusException):
    def __init__(self, name):
        super().__init__("as the test wants", name=name)


def say(text):
    print(text, flush=True)


class Exported(dbus.service.Object):
    """An object whose properties are read through the standard interface."""

    def __init__(self, world, path):
        super().__init__(world.bus, path)
        self.world = world
        self.path = path

    def value(self, _name):
        raise Failure("org.freedesktop.DBus.Error.UnknownProperty")

    @dbus.service.method(PROPERTIES, in_signature="ss", out_signature="v")
    def Get(self, _interface, name):
        self.world.gate()
        return self.value(name)


class Session(Exported):
    def __init__(self, world, path, key):
        super().__init__(world, path)
        self.key = key

    def sealed(self, text):
        if self.key is None:
            return dbus.Struct((self.path, dbus.ByteArray(b""), dbus.ByteArray(text), "text/plain"), signature="oayays")
        iv = secrets.token_bytes(16)
        pad = 16 - len(text) % 16
        box = Cipher(algorithms.AES(self.key), modes.CBC(iv)).encryptor()
        data = box.update(text + bytes([pad]) * pad) + box.finalize()
        return dbus.Struct((self.path, dbus.ByteArray(iv), dbus.ByteArray(data), "text/plain"), signature="oayays")

    def opened(self, secret):
        parameters, data = bytes(secret[1]), bytes(secret[2])
        if self.key is None:
            return data
        box = Cipher(algorithms.AES(self.key), modes.CBC(parameters)).decryptor()
        text = box.update(data) + box.finalize()
        return text[:-text[-1]]

    @dbus.service.method(SESSION, in_signature="", out_signature="")
    def Close(self):
        pass


class Prompt(Exported):
    @dbus.service.method(PROMPT, in_signature="s", out_signature="")
    def Prompt(self, _window):
        say("prompted")
        behaviour = self.world.behaviour
        if behaviour == "locked-dies":
            os._exit(1)
        if behaviour == "locked-dies-later":
            GLib.timeout_add(100, lambda: os._exit(1))
        if behaviour == "asks":
            GLib.timeout_add(20, self.agree)
        if behaviour in ("locked-dismisses", "asks-in-vain"):
            GLib.timeout_add(20, lambda: self.Completed(True, dbus.String("")))
        if behaviour == "locked-garbage":
            GLib.timeout_add(20, lambda: self.Garbage())
        if behaviour == "locked-lies":
            GLib.timeout_add(20, lambda: self.Completed(False, dbus.String("")))
        if behaviour == "locked-opens":
            GLib.timeout_add(2500, self.Open)

    @dbus.service.method(PROMPT, in_signature="", out_signature="")
    def Dismiss(self):
        say("dismissed")

    @dbus.service.signal(PROMPT, signature="bv")
    def Completed(self, dismissed, result):
        pass

    def agree(self):
        self.action()
        self.Completed(False, dbus.String(""))

    def Open(self):
        self.world.behaviour = "normal"
        self.Completed(False, dbus.String(""))

    def Garbage(self):
        message = dbus.lowlevel.SignalMessage(self.path, PROMPT, "Completed")
        message.append("closed", signature="s")
        self.world.bus.send_message(message)


class Item(Exported):
    def value(self, name):
        entry = self.world.items[self.path]
        if name == "Attributes":
            return dbus.Dictionary(entry["attributes"], signature="ss")
        if name == "Locked":
            return dbus.Boolean(False)
        if name in ("Created", "Modified"):
            return dbus.UInt64(entry["modified"])
        return super().value(name)

    @dbus.service.method(ITEM, in_signature="o", out_signature="(oayays)")
    def GetSecret(self, session):
        self.world.gate()
        behaviour = self.world.behaviour
        if behaviour == "no-session":
            raise Failure("org.freedesktop.Secret.Error.NoSession")
        if behaviour == "no-object":
            raise Failure("org.freedesktop.Secret.Error.NoSuchObject")
        text = base64.b64decode(self.world.items[self.path]["secret"])
        if behaviour == "foreign-text":
            text = b"hunter2"
        if behaviour == "huge":
            text = b"A" * (8 << 20)
        sealed = self.world.sessions[session].sealed(text)
        if behaviour == "garbage-secret":
            sealed = dbus.Struct(
                (sealed[0], dbus.ByteArray(b"short"), dbus.ByteArray(b"\x01" * 31), "text/plain"), signature="oayays")
        if behaviour == "other-session":
            sealed = dbus.Struct((BASE + "/session/other",) + tuple(sealed)[1:], signature="oayays")
        return sealed

    @dbus.service.method(ITEM, in_signature="(oayays)", out_signature="")
    def SetSecret(self, secret):
        self.world.gate()
        self.world.write(self.path, self.world.items[self.path]["attributes"], secret)

    @dbus.service.method(ITEM, in_signature="", out_signature="o")
    def Delete(self):
        self.world.gate()
        if self.world.behaviour.startswith(("delete-prompts", "asks")):
            return self.world.new_prompt(self.remove)
        if self.world.behaviour != "forgets":
            self.remove()
        return "/"

    def remove(self):
        del self.world.items[self.path]
        self.world.store()
        self.remove_from_connection()


class Collection(Exported):
    def value(self, name):
        if name == "Locked":
            if self.world.behaviour == "garbage-property":
                return dbus.String("perhaps")
            return dbus.Boolean(self.world.behaviour.startswith("locked"))
        return super().value(name)

    @dbus.service.method(COLLECTION, in_signature="a{sv}(oayays)b", out_signature="oo")
    def CreateItem(self, properties, secret, replace):
        self.world.gate()
        attributes = {str(k): str(v) for k, v in properties[ITEM + ".Attributes"].items()}
        same = [path for path in self.world.found(attributes) if replace]
        path = same[0] if same else self.path + "/i" + secrets.token_hex(8)
        if self.world.behaviour == "forgets":
            return path, "/"
        if self.world.behaviour.startswith(("create-prompts", "asks")):
            return "/", self.world.new_prompt(lambda: self.world.write(path, attributes, secret))
        self.world.write(path, attributes, secret)
        return path, "/"


class Service(Exported):
    @dbus.service.method(SERVICE, in_signature="sv", out_signature="vo")
    def OpenSession(self, algorithm, data):
        self.world.gate()
        if self.world.behaviour == "open-dies":
            os._exit(1)
        key, answer = None, dbus.String("")
        if algorithm == ALGORITHM and self.world.behaviour != "plain-only":
            private = secrets.randbits(1000) + 2
            shared = pow(int.from_bytes(bytes(data), "big"), private, PRIME).to_bytes(128, "big")
            extracted = hmac.new(bytes(32), shared, hashlib.sha256).digest()
            key = hmac.new(extracted, b"\x01", hashlib.sha256).digest()[:16]
            answer = dbus.ByteArray(pow(2, private, PRIME).to_bytes(128, "big"))
        elif algorithm != "plain":
            raise Failure("org.freedesktop.DBus.Error.NotSupported")
        path = BASE + "/session/s" + secrets.token_hex(8)
        self.world.sessions[path] = Session(self.world, path, key)
        return answer, path

    @dbus.service.method(SERVICE, in_signature="s", out_signature="o")
    def ReadAlias(self, name):
        self.world.gate()
        if name == "session":
            return TRANSIENT
        return {"no-default": "/", "session-default": TRANSIENT}.get(self.world.behaviour, DEFAULT)

    @dbus.service.method(SERVICE, in_signature="a{ss}", out_signature="aoao")
    def SearchItems(self, attributes):
        self.world.gate()
        behaviour = self.world.behaviour
        if behaviour == "dies":
            os._exit(1)
        if behaviour == "many":
            return [DEFAULT + "/m%d" % number for number in range(5000)], []
        if behaviour == "crowded" and "xdg:schema" in attributes:
            return [DEFAULT + "/m%d" % number for number in range(512)], []
        found = self.world.found(attributes)
        if behaviour == "elsewhere-locked":
            return [], found
        return found, []

    @dbus.service.method(SERVICE, in_signature="ao", out_signature="aoo")
    def Unlock(self, _objects):
        self.world.gate()
        say("unlock")
        return [], self.world.new_prompt()


class Control(dbus.service.Object):
    def __init__(self, world):
        super().__init__(world.bus, "/double")
        self.world = world

    @dbus.service.method("fueki.Double", in_signature="s", out_signature="")
    def Behave(self, name):
        self.world.behaviour = str(name)


class World:
    def __init__(self, bus, file, behaviour):
        self.bus, self.file, self.behaviour = bus, file, behaviour
        self.sessions, self.items, self.prompts = {}, {}, 0
        if os.path.exists(file):
            with open(file, encoding="utf-8") as opened:
                self.items = json.load(opened)
        self.objects = [Service(self, BASE), Collection(self, DEFAULT), Control(self)]
        self.objects += [Item(self, path) for path in self.items]

    def gate(self):
        while self.behaviour == "silent":
            time.sleep(3600)

    def found(self, attributes):
        return dbus.Array([
            path for path, entry in self.items.items()
            if all(entry["attributes"].get(str(name)) == str(value) for name, value in attributes.items())
        ], signature="o")

    def write(self, path, attributes, secret):
        if self.behaviour == "full":
            raise Failure("org.freedesktop.DBus.Error.LimitsExceeded")
        if self.behaviour == "forgets":
            return
        text = self.sessions[str(secret[0])].opened(secret)
        if path not in self.items:
            self.objects.append(Item(self, path))
        self.items[path] = {
            "attributes": dict(attributes), "secret": base64.b64encode(text).decode(), "modified": int(time.time())}
        self.store()

    def store(self):
        with open(self.file + ".new", "w", encoding="utf-8") as opened:
            json.dump(self.items, opened)
        os.replace(self.file + ".new", self.file)

    def new_prompt(self, action=lambda: None):
        self.prompts += 1
        path = BASE + "/prompt/p%d" % self.prompts
        prompt = Prompt(self, path)
        # What is done if the user agrees.
        prompt.action = action
        self.objects.append(prompt)
        return path


def garbage_reply(world):
    """Answers searches with a value of another type."""
    def answer(_connection, message):
        if world.behaviour == "garbage-type" and message.get_member() == "SearchItems":
            reply = dbus.lowlevel.MethodReturnMessage(message)
            reply.append("nothing", signature="s")
            world.bus.send_message(reply)
            return dbus.lowlevel.HANDLER_RESULT_HANDLED
        return dbus.lowlevel.HANDLER_RESULT_NOT_YET_HANDLED
    return answer


def main():
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    bus = dbus.SessionBus()
    world = World(bus, sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "normal")
    bus.add_message_filter(garbage_reply(world))
    name = dbus.service.BusName("org.freedesktop.secrets", bus, do_not_queue=True)
    say("ready " + name.get_name())
    GLib.MainLoop().run()


if __name__ == "__main__":
    import dbus.lowlevel
    main()
