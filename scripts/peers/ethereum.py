"""eth-account and eth-abi, which are not ours: they say what the bytes of Ethereum must be.

JSON in on standard input, JSON out on standard output. The command is the argument:

    sign     {"key": hex, "transactions": [{…}]}                 -> [{"raw": hex, "hash": hex}]
             as eth-account takes them; "authorize": {…} signs an EIP-7702 authorization with the key and adds it
    recover  {"raw": [hex]}                                      -> [address]
    message  {"key": hex, "messages": [hex]}                     -> [{"hash": hex, "signature": hex}]
    typed    {"key": hex, "documents": [JSON text]}              -> [{"hash": hex, "signature": hex}]
    accounts {"group_point": hex, "paths": [text]}               -> [address]; below a group's key, as BIP-328 says (embit)
    signers  [{"text": hex | "document": JSON text, "signature": hex}]  -> [address], whoever signed these
    abi      {"calls": [{"types": [text], "values": [...]}]}     -> [hex]; numbers as text, bytes as hex
"""

import json
import sys

import eth_abi
from embit.bip32 import HDKey, parse_path
from embit.ec import PublicKey
from eth_account import Account
from eth_account.messages import encode_defunct, encode_typed_data
from eth_keys import keys
from make_psbt import CHAIN_CODE


def sign(request):
    signed = []
    for transaction in request["transactions"]:
        wish = transaction.pop("authorize", None)
        if wish:
            transaction["authorizationList"] = [Account.sign_authorization(wish, request["key"])]
        made = Account.sign_transaction(transaction, request["key"])
        signed.append({"raw": made.raw_transaction.hex(), "hash": made.hash.hex()})
    return signed


def sign_messages(key, messages):
    made = [Account.sign_message(message, key) for message in messages]
    return [{"hash": one.message_hash.hex(), "signature": one.signature.hex()} for one in made]


def account(group_point, path):
    child = HDKey(PublicKey.parse(bytes.fromhex(group_point)), CHAIN_CODE).derive(parse_path(path)).key
    return keys.PublicKey.from_compressed_bytes(child.sec()).to_checksum_address()


def signer(claim):
    """Who signed a personal message, or a document of typed data."""
    if "text" in claim:
        message = encode_defunct(bytes.fromhex(claim["text"]))
    else:
        message = encode_typed_data(full_message=json.loads(claim["document"]))
    return Account.recover_message(message, signature=claim["signature"])


def value(kind, given):
    """What eth-abi takes for a value of this type."""
    if kind.endswith("]"):
        element = kind[: kind.rindex("[")]
        return [value(element, one) for one in given]
    if kind.startswith("("):
        return tuple(value(one, part) for one, part in zip(parts(kind[1:-1]), given))
    if "int" in kind:
        return int(given)
    if kind.startswith("bytes"):
        return bytes.fromhex(given)
    return given


def parts(kinds):
    """The types of a tuple: split at the commas that are in no parentheses."""
    found, depth = [""], 0
    for letter in kinds:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            found.append("")
        else:
            found[-1] += letter
    return found


COMMANDS = {
    "sign": sign,
    "recover": lambda request: [Account.recover_transaction(bytes.fromhex(raw)) for raw in request["raw"]],
    "message": lambda request: sign_messages(
        request["key"], [encode_defunct(bytes.fromhex(text)) for text in request["messages"]]
    ),
    "typed": lambda request: sign_messages(
        request["key"], [encode_typed_data(full_message=json.loads(text)) for text in request["documents"]]
    ),
    "accounts": lambda request: [account(request["group_point"], path) for path in request["paths"]],
    "signers": lambda request: [signer(claim) for claim in request],
    "abi": lambda request: [
        eth_abi.encode(call["types"], [value(kind, one) for kind, one in zip(call["types"], call["values"])]).hex()
        for call in request["calls"]
    ],
}

json.dump(COMMANDS[sys.argv[1]](json.load(sys.stdin)), sys.stdout)
