"""Real EVMs (eth-tester, py-evm) behind JSON-RPC, on a leash: they end when standard input does.

    evm_node.py        prints "ready PORT", or why not

Each connection to that port of 127.0.0.1 starts a node of its own, with its own chain: the connection's first line has the number of
the chain, the answer is "ready PORT", and the node ends with the connection. The nodes are copies of this program, which loads
the packages once.

eth-tester has no pool of waiting transactions, and takes a typed transaction of another chain. So this keeps the pool, with the
rules and words of go-ethereum: chain id, known, nonce, funds, and a tenth more on both fees for a replacement. Nothing is mined
before evm_mine says so.

Besides eth_*, for tests:  evm_mine []            mines a block of what is ready
                           evm_fund [A, WEI]      a rich account of the chain pays, and a block is mined
                           evm_execute [A, DATA]  the same account calls a contract
                           evm_deploy [CODE]      the same account deploys; answers with the address
                           evm_snapshot [], evm_revert [SNAPSHOT]     back to an earlier block: a reorganisation
                           evm_forget []          empties the pool, as a node that starts anew
                           evm_automine [SECONDS] mines that long after each transaction that it takes; null: no more
                           evm_disturb [METHOD, HOW]   from now on METHOD is answered so; null: as it should be
                               "html": with a page, "500": with that status, "late": after minutes, "close": by the end of the
                               connection, "swallow": likewise, but what was asked is done; {"result": X}: with X
                           evm_asked [METHOD]     how often it was asked
"""

import collections
import json
import os
import select
import signal
import socket
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from eth_tester import PyEVMBackend
from eth_tester.backends.pyevm.main import EVMSpoofTransaction, _get_vm_for_block_number
from eth_tester.exceptions import BlockNotFound, TransactionNotFound
from eth_utils import ValidationError, to_canonical_address, to_checksum_address

GIGA = 10**9
GAS = 10_000_000


class Refused(Exception):
    def __init__(self, message, code=-32000, data=None):
        super().__init__(message)
        self.code, self.data = code, data


def quantity(text):
    if not isinstance(text, str) or not text.startswith("0x") or text == "0x" or (text[2] == "0" and text != "0x0"):
        raise Refused(f"invalid argument: hex string {text!r}", -32602)
    return int(text, 16)


def data(text):
    if not isinstance(text, str) or not text.startswith("0x"):
        raise Refused(f"invalid argument: hex string {text!r}", -32602)
    return bytes.fromhex(text[2:])


def shown(value):
    """As JSON-RPC writes it: numbers and bytes in hexadecimal, names in camel case."""
    if isinstance(value, dict):
        words = {key: key.split("_") for key in value}
        return {w[0] + "".join(map(str.capitalize, w[1:])): shown(value[key]) for key, w in words.items()}
    if isinstance(value, (list, tuple)):
        return [shown(item) for item in value]
    if isinstance(value, bytes):
        return "0x" + value.hex()
    if isinstance(value, int) and not isinstance(value, bool):
        return hex(value)
    return value


class Node:
    def __init__(self, chain_id):
        self.backend = PyEVMBackend()
        type(self.backend.chain).chain_id = chain_id
        self.chain_id = chain_id
        self.rich = self.backend.get_accounts()[0]
        self.pool = {}  # sender -> {nonce: transaction}
        self.raw = {}  # hash -> the transaction's bytes as received
        self.asked = collections.Counter()
        self.disturbed = {}
        self.automine = None

    # ---- reading

    def block(self, tag):
        return "latest" if tag in ("latest", "pending", "safe", "finalized") else quantity(tag)

    def height(self):
        return self.backend.get_block_by_number("latest", False)["number"]

    def eth_chainId(self):
        return self.chain_id

    def eth_blockNumber(self):
        return self.height()

    def eth_getBalance(self, address, tag):
        return self.backend.get_balance(to_canonical_address(address), self.block(tag))

    def eth_getCode(self, address, tag):
        return self.backend.get_code(to_canonical_address(address), self.block(tag))

    def eth_getTransactionCount(self, address, tag):
        sender = to_canonical_address(address)
        nonce = self.backend.get_nonce(sender, self.block(tag))
        while tag == "pending" and nonce in self.pool.get(sender, {}):
            nonce += 1
        return nonce

    def eth_getBlockByNumber(self, tag, full):
        try:
            block = self.backend.get_block_by_number(self.block(tag), False)
        except BlockNotFound:
            return None
        return {key: block[key] for key in ("number", "hash", "parent_hash", "base_fee_per_gas", "gas_used", "gas_limit")}

    def eth_getTransactionReceipt(self, digest):
        try:
            receipt = self.backend.get_transaction_receipt(data(digest))
        except TransactionNotFound:
            return None
        names = "transaction_hash block_number block_hash gas_used effective_gas_price from to contract_address status".split()
        return {name: receipt.get(name) or None if name == "contract_address" else receipt[name] for name in names}

    def eth_getTransactionByHash(self, digest):
        for waiting in self.pool.values():
            for nonce, transaction in waiting.items():
                if transaction.hash == data(digest):
                    return {"hash": transaction.hash, "nonce": nonce, "from": transaction.sender,
                            "block_number": None, "block_hash": None}  # fmt: skip
        try:
            found = self.backend.get_transaction_by_hash(data(digest))
        except TransactionNotFound:
            return None
        return {name: found[name] for name in ("hash", "nonce", "from", "block_number", "block_hash")}

    # ---- fees

    def eth_maxPriorityFeePerGas(self):
        return GIGA

    def eth_gasPrice(self):
        return self.backend.get_base_fee("latest") + GIGA

    def eth_feeHistory(self, count, newest, percentiles):
        last = self.height() if newest == "latest" else quantity(newest)
        first = max(0, last + 1 - quantity(count))
        blocks = [self.backend.get_block_by_number(number, True) for number in range(first, last + 1)]
        rewards = [self.rewards(block, percentiles) for block in blocks]
        base = [hex(block.get("base_fee_per_gas") or 0) for block in blocks] + [hex(self.backend.get_base_fee("latest"))]
        ratios = [block["gas_used"] / block["gas_limit"] for block in blocks]
        # A ratio is the only number of this interface that is not a quantity.
        return {"oldestBlock": hex(first), "baseFeePerGas": base, "gasUsedRatio": [Ratio(r) for r in ratios], "reward": rewards}

    def rewards(self, block, percentiles):
        base = block.get("base_fee_per_gas") or 0
        paid = sorted(
            min(tx.get("max_priority_fee_per_gas", tx["gas_price"]), tx.get("max_fee_per_gas", tx["gas_price"]) - base)
            for tx in block["transactions"]
        )
        return [hex(paid[min(len(paid) - 1, int(len(paid) * share / 100))] if paid else 0) for share in percentiles]

    # ---- calls

    def execute(self, call):
        request = {"from": to_canonical_address(call.get("from", "0x" + "00" * 20)), "gas": quantity(call.get("gas", hex(GAS)))}
        request["data"] = data(call.get("data", call.get("input", "0x")))
        request["value"] = quantity(call.get("value", "0x0"))
        if call.get("to"):
            request["to"] = to_canonical_address(call["to"])
        if self.backend.get_balance(request["from"], "latest") < request["value"]:
            raise Refused("insufficient funds for gas * price + value: address " + call["from"])
        request["max_fee_per_gas"] = request["max_priority_fee_per_gas"] = 0
        # Like in real nodes, the cost of a call is ignored: it runs as if the sender paid nothing.
        request["max_fee_per_gas"] = self.backend.get_base_fee("latest")
        unsigned = self.backend._get_normalized_and_unsigned_evm_transaction(request, "latest")
        return request, EVMSpoofTransaction(unsigned, from_=request["from"])

    def eth_call(self, call, tag="latest"):
        _, transaction = self.execute(call)
        computation = self.run(transaction)
        if computation.is_error:
            self.refuse(computation)
        return computation.output

    def eth_estimateGas(self, call, tag="latest"):
        _, transaction = self.execute(call)
        computation = self.run(transaction)
        if computation.is_error:
            self.refuse(computation)
        return self.backend.chain.estimate_gas(transaction)

    def run(self, transaction):
        state = _get_vm_for_block_number(self.backend.chain, "latest").state
        snapshot = state.snapshot()
        # A caller that only asks pays nothing, and needs no balance.
        state.set_balance(transaction.sender, state.get_balance(transaction.sender) + transaction.gas * transaction.max_fee_per_gas)
        try:
            return state.apply_transaction(transaction)
        except ValidationError as error:
            raise Refused(str(error)) from None
        finally:
            state.revert(snapshot)

    def refuse(self, computation):
        if computation.output:
            raise Refused("execution reverted", 3, "0x" + computation.output.hex())
        raise Refused(f"{type(computation.error).__name__}: execution failed")

    # ---- the pool

    def eth_sendRawTransaction(self, raw):
        backend = self.backend
        try:
            transaction = backend.chain.get_vm().get_transaction_builder().decode(data(raw))
            sender = transaction.sender
            transaction.check_signature_validity()
        except Refused:
            raise
        except Exception:
            raise Refused("rlp: cannot decode the transaction") from None
        if transaction.chain_id not in (self.chain_id, None):
            raise Refused("invalid chain id for signer: have %s want %s" % (transaction.chain_id, self.chain_id))
        waiting = self.pool.setdefault(sender, {})
        old = waiting.get(transaction.nonce)
        if old and old.hash == transaction.hash:
            raise Refused("already known")
        if transaction.nonce < backend.get_nonce(sender, "latest"):
            raise Refused("nonce too low: next nonce %d, tx nonce %d" % (backend.get_nonce(sender, "latest"), transaction.nonce))
        fee, tip = transaction.max_fee_per_gas, transaction.max_priority_fee_per_gas
        if transaction.gas * fee + transaction.value > backend.get_balance(sender, "latest"):
            raise Refused("insufficient funds for gas * price + value")
        if transaction.gas < transaction.intrinsic_gas:
            raise Refused("intrinsic gas too low")
        if tip > fee:
            raise Refused("max priority fee per gas higher than max fee per gas")
        if old and (10 * fee < 11 * old.max_fee_per_gas or 10 * tip < 11 * old.max_priority_fee_per_gas):
            raise Refused("replacement transaction underpriced")
        waiting[transaction.nonce] = transaction
        self.raw[transaction.hash] = data(raw)
        if self.automine is not None:
            threading.Timer(self.automine, self.mine_later).start()
        return transaction.hash

    def eth_getRawTransactionByHash(self, digest):
        return self.raw.get(data(digest))

    def mine_later(self):
        with self.lock:
            self.mine()

    def mine(self, *more):
        applied = 0
        for transaction in more:
            self.backend.chain.apply_transaction(transaction)
        for sender, waiting in self.pool.items():
            nonce = self.backend.get_nonce(sender, "latest")
            while nonce in waiting and waiting[nonce].max_fee_per_gas >= self.backend.get_base_fee("latest"):
                self.backend.chain.apply_transaction(waiting.pop(nonce))
                nonce, applied = nonce + 1, applied + 1
            for old in [number for number in waiting if number < nonce]:
                del waiting[old]
        self.backend.mine_blocks(1)
        return applied

    # ---- for tests

    def evm_mine(self):
        self.mine()
        return self.height()

    def evm_forget(self):
        self.pool = {}

    def evm_automine(self, seconds):
        self.automine = seconds

    def evm_disturb(self, method, how):
        self.disturbed[method] = how

    def evm_asked(self, method):
        return self.asked[method]

    def evm_snapshot(self):
        return self.backend.take_snapshot()

    def evm_revert(self, snapshot):
        self.backend.revert_to_snapshot(data(snapshot))
        return self.height()

    def send(self, **fields):
        request = {"from": self.rich, "gas": GAS, "max_priority_fee_per_gas": GIGA, "max_fee_per_gas": 100 * GIGA, **fields}
        transaction = self.backend._get_normalized_and_signed_evm_transaction(request, "latest")
        self.mine(transaction)
        return self.backend.get_transaction_receipt(transaction.hash)

    def evm_fund(self, address, wei):
        return self.send(to=to_canonical_address(address), value=quantity(wei))["status"]

    def evm_execute(self, address, call):
        return self.send(to=to_canonical_address(address), data=data(call))["status"]

    def evm_deploy(self, code):
        receipt = self.send(data=data(code))
        if not receipt["status"]:
            raise Refused("the contract's constructor failed")
        return to_checksum_address(receipt["contract_address"])


class Ratio(float):
    pass


METHODS = [name for name in dir(Node) if name.startswith(("eth_", "evm_"))]


def answer(node, request):
    reply = {"jsonrpc": "2.0", "id": request.get("id")}
    try:
        disturbance = node.disturbed.get(request.get("method"))
        if isinstance(disturbance, dict):
            return {**reply, **disturbance}
        if request.get("method") not in METHODS:
            raise Refused(f"the method {request.get('method')} does not exist/is not available", -32601)
        reply["result"] = shown(getattr(node, request["method"])(*request.get("params", [])))
    except Refused as error:
        reply["error"] = {"code": error.code, "message": str(error)}
        if error.data:
            reply["error"]["data"] = error.data
    except Exception as error:
        reply["error"] = {"code": -32603, "message": f"{type(error).__name__}: {error}"}
    return reply


def serve(node):
    node.lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            method = request.get("method")
            with node.lock:
                node.asked[method] += 1
                how = node.disturbed.get(method)
                answered = not isinstance(how, str) or how == "swallow"
                body = json.dumps(answer(node, request)).encode() if answered else b"<html>trouble</html>"
            if how == "late":
                time.sleep(200)
            if how in ("close", "swallow"):
                self.close_connection = True
                return
            self.send_response(500 if how == "500" else 200)
            self.send_header("Content-Type", "text/html" if how == "html" else "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_port


def start(connection):
    """Runs a node until its connection ends."""
    with connection.makefile("rw") as leash:
        print(f"ready {serve(Node(int(leash.readline())))}", file=leash, flush=True)
        leash.read()


def main():
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    listener = socket.create_server(("127.0.0.1", 0), backlog=64)
    print(f"ready {listener.getsockname()[1]}", flush=True)
    while sys.stdin not in select.select([listener, sys.stdin], [], [])[0]:
        connection, _ = listener.accept()
        if os.fork() == 0:
            listener.close()
            try:
                start(connection)
            finally:
                os._exit(0)
        connection.close()


if __name__ == "__main__":
    main()
