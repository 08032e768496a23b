"""A minimal ERC-20 token, assembled here, without a compiler and without code of other projects.

    erc20.py            prints the code to deploy, in hexadecimal
    erc20.py --listing  prints the instructions, each with its offset

The deploying account owns 1,000,000 tokens of 6 decimals, "TEST". Balances are at the address's own number in the storage, an allowance at
keccak256(owner, spender); both cannot meet. Without enough of either: Error("insufficient").
"""

import sys

from eth_utils import keccak

OPCODES = {
    "ADD": 0x01, "SUB": 0x03, "LT": 0x10, "EQ": 0x14, "SHL": 0x1B, "SHR": 0x1C, "SHA3": 0x20, "CALLER": 0x33, "CALLVALUE": 0x34,
    "CALLDATALOAD": 0x35, "CODECOPY": 0x39, "POP": 0x50, "MLOAD": 0x51, "MSTORE": 0x52, "SLOAD": 0x54, "SSTORE": 0x55,
    "JUMP": 0x56, "JUMPI": 0x57, "JUMPDEST": 0x5B, "DUP1": 0x80, "DUP2": 0x81, "DUP3": 0x82, "SWAP1": 0x90, "LOG3": 0xA3,
    "RETURN": 0xF3, "REVERT": 0xFD,
}  # fmt: skip
SUPPLY = 1_000_000 * 10**6


def selector(signature):
    return "0x" + keccak(text=signature)[:4].hex()


def topic(signature):
    return "0x" + keccak(text=signature).hex()


def assemble(source):
    """Words: an opcode, a number (pushed in as few bytes as it takes), @label (pushed in two bytes), or label: (a JUMPDEST)."""
    code, labels, holes, listing = bytearray(), {}, [], []
    for word in (word for line in source.splitlines() for word in line.split("#")[0].split()):
        listing.append(f"{len(code):04x} {word}")
        if word.endswith(":"):
            labels[word[:-1]] = len(code)
            code.append(OPCODES["JUMPDEST"])
        elif word.startswith("@"):
            holes.append((len(code) + 1, word[1:]))
            code += b"\x61\0\0"
        elif word in OPCODES:
            code.append(OPCODES[word])
        else:
            digits = word[2:] if word.startswith("0x") else f"{int(word):x}"
            number = bytes.fromhex(digits.zfill(len(digits) + len(digits) % 2))
            code += bytes([0x5F + len(number)]) + number
    for position, label in holes:
        code[position : position + 2] = labels[label].to_bytes(2, "big")
    return bytes(code), listing


def entry(signature, label):
    return f"DUP1 {selector(signature)} EQ @{label} JUMPI\n"


# An address in call data, without its upper twelve bytes.
def argument(number):
    return f"{4 + 32 * number} CALLDATALOAD 96 SHL 96 SHR "


# Maps owner and spender to the slot of the allowance.
ALLOWANCE_SLOT = "32 MSTORE 0 MSTORE 64 0 SHA3 "
RETURN_WORD = "0 MSTORE 32 0 RETURN\n"
# The text in the form of the ABI: offset, length, bytes.
SYMBOL = "32 0 MSTORE 4 32 MSTORE 0x" + b"TEST".ljust(32, b"\0").hex() + " 64 MSTORE 96 0 RETURN\n"
INSUFFICIENT = (
    "fail: 0x08c379a0 224 SHL 0 MSTORE 32 4 MSTORE 12 36 MSTORE "
    "0x" + b"insufficient".ljust(32, b"\0").hex() + " 68 MSTORE 100 0 REVERT\n"
)

RUNTIME = (
    "CALLVALUE @refuse JUMPI\n"
    "0 CALLDATALOAD 224 SHR\n"
    + entry("symbol()", "symbol")
    + entry("decimals()", "decimals")
    + entry("totalSupply()", "supply")
    + entry("balanceOf(address)", "balance")
    + entry("allowance(address,address)", "allowance")
    + entry("approve(address,uint256)", "approve")
    + entry("transfer(address,uint256)", "transfer")
    + entry("transferFrom(address,address,uint256)", "transferFrom")
    + "refuse: 0 0 REVERT\n"
    + INSUFFICIENT
    + "symbol: " + SYMBOL
    + "decimals: 6 " + RETURN_WORD
    + f"supply: {SUPPLY} " + RETURN_WORD
    + "balance: " + argument(0) + "SLOAD " + RETURN_WORD
    + "allowance: " + argument(0) + argument(1) + ALLOWANCE_SLOT + "SLOAD " + RETURN_WORD
    # approve: the amount into the slot, then the event Approval(caller, spender, amount).
    + "approve: 36 CALLDATALOAD CALLER " + argument(0) + ALLOWANCE_SLOT + "SSTORE 36 CALLDATALOAD 0 MSTORE "
    + argument(0) + "CALLER " + topic("Approval(address,address,uint256)") + " 32 0 LOG3 1 " + RETURN_WORD
    # move: from, to, amount on the stack, amount deepest.
    + "transfer: 36 CALLDATALOAD " + argument(0) + "CALLER @move JUMP\n"
    + "transferFrom: 68 CALLDATALOAD DUP1 " + argument(0) + "CALLER " + ALLOWANCE_SLOT
    + "DUP1 SLOAD DUP3 DUP2 LT @fail JUMPI"      # amount amount slot allowed; fails if allowed < amount
    + " DUP3 SWAP1 SUB SWAP1 SSTORE POP " + argument(1) + argument(0) + "@move JUMP\n"
    + "move: DUP1 SLOAD 240 MSTORE"              # amount to from
    + " DUP3 240 MLOAD LT @fail JUMPI"       # fails if balance < amount
    + " DUP3 240 MLOAD SUB DUP2 SSTORE"          # the sender's is less
    + " DUP2 SLOAD 272 MSTORE DUP3 272 MLOAD ADD 304 MSTORE 304 MLOAD DUP3 SSTORE"
    + " DUP3 0 MSTORE " + topic("Transfer(address,address,uint256)") + " 32 0 LOG3 POP 1 " + RETURN_WORD
)  # fmt: skip


def deployment():
    """Gives the supply to the deployer and returns the runtime's code."""
    runtime, listing = assemble(RUNTIME)
    size = f"0x{len(runtime):04x}"
    head = f"{SUPPLY} CALLER SSTORE {size} 0xffff 0 CODECOPY {size} 0 RETURN"
    start = f"0x{len(assemble(head)[0]):04x}"
    return assemble(head.replace("0xffff", start))[0] + runtime, listing


if __name__ == "__main__":
    code, instructions = deployment()
    print("\n".join(instructions) if sys.argv[1:] == ["--listing"] else code.hex())
