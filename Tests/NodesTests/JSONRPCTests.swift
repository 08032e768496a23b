internal import DisplayText
import Encoding
internal import HDKeys
import Nodes
import PinnedHTTP
import Testing
import Wallet

import class TestSupport.HastyClock

/// The false envelopes that a node, or a proxy before it, can send. Requested through ``BitcoinNode``.
@Suite("The envelope of an answer")
struct JSONRPCTests {
    private let address: NodeAddress
    init() throws { address = try NodeAddress("http://localhost") }

    /// A node that reports the chain truthfully, and answers `getblockcount` as the test says.
    private func height(
        _ patience: NodeRetryPolicy = .hasty,
        _ reply: @escaping @Sendable (_ id: Int64, _ earlier: Int) -> ScriptedNode.Reply
    ) async throws(NodeError) -> (height: UInt32, node: ScriptedNode) {
        let node = ScriptedNode { call, earlier in
            switch call.method {
            case "getblockchaininfo": .result(["chain": "regtest"])
            case "getblockhash": .result(.string(String(repeating: "0", count: 64)))
            default: reply(3 + Int64(earlier), earlier)
            }
        }
        let bitcoin = try await BitcoinNode(at: address, on: .regtest, over: node, patience)
        return (try await bitcoin.height(), node)
    }

    @Test("answers of version 2.0, and Bitcoin Core's of 1.0, are read")
    func envelopes() async throws {
        #expect(try await height { _, _ in .result(7) }.height == 7)
        #expect(try await height { id, _ in .raw(#"{"result":7,"error":null,"id":\#(id)}"#) }.height == 7)
    }

    @Test(
        "a body that is no answer",
        arguments: [
            ("<html>Just a moment…</html>", .notJSON(looksLikeHTML: true)),
            ("\n <!DOCTYPE html>", .notJSON(looksLikeHTML: true)),
            ("", .notJSON(looksLikeHTML: false)), ("OK", .notJSON(looksLikeHTML: false)),
            (#"{"id":3,"id":3,"result":7}"#, .notJSON(looksLikeHTML: false)),
            (#"{"id":3,"result":7}{}"#, .notJSON(looksLikeHTML: false)),
            (String(repeating: "[", count: 40) + String(repeating: "]", count: 40), .notJSON(looksLikeHTML: false)),
            ("[]", .unexpected(.envelope)), ("7", .unexpected(.envelope)),
            (#"{"id":3}"#, .unexpected(.envelope)), (#"{"jsonrpc":"3.0","id":3,"result":7}"#, .unexpected(.envelope)),
            (#"{"id":3,"error":"no"}"#, .unexpected(.envelope)),
            (#"{"id":3,"error":{"code":"1","message":"x"}}"#, .unexpected(.envelope)),
            (#"{"id":3,"error":{"code":1}}"#, .unexpected(.envelope)),
            (#"{"id":3,"result":7,"error":{"code":1,"message":"x"}}"#, .unexpected(.envelope)),
            (#"{"result":7}"#, .inconsistent(.id)), (#"{"id":2,"result":7}"#, .inconsistent(.id)),
            (#"{"id":"3","result":7}"#, .inconsistent(.id)), (#"{"id":null,"result":7}"#, .inconsistent(.id)),
            (#"{"id":3,"result":"7"}"#, .unexpected(.height)), (#"{"id":3,"result":-7}"#, .unexpected(.height)),
            (#"{"id":3,"result":7.0}"#, .unexpected(.height)), (#"{"id":3,"result":4294967296}"#, .unexpected(.height)),
            (#"{"id":3,"result":null}"#, .unexpected(.height)),
        ] as [(String, NodeError)])
    func lies(body: String, error: NodeError) async {
        await #expect(throws: error) { try await height { _, _ in .raw(body) } }
    }

    @Test(
        "a status without an answer",
        arguments: [
            (302, .redirected), (401, .unauthorised), (403, .unauthorised), (404, .status(404)), (429, .status(429)),
            (500, .status(500)),
        ] as [(Int, NodeError)])
    func statuses(status: Int, error: NodeError) async {
        await #expect(throws: error) { try await height { _, _ in .raw("<html>", status: status) } }
    }

    @Test(
        "a gateway's answer about too many requests or an unreachable node is not an answer of the node",
        arguments: [429, 502, 503, 504])
    func gateways(status: Int) async {
        await #expect(throws: NodeError.status(status)) {
            try await height { id, _ in .raw(#"{"id":\#(id),"error":{"code":-1,"message":"busy"}}"#, status: status) }
        }
    }

    @Test("a result with an error status is not accepted")
    func resultWithFailure() async {
        await #expect(throws: NodeError.status(500)) {
            try await height { id, _ in .raw(#"{"id":\#(id),"result":7}"#, status: 500) }
        }
    }

    @Test("a node's error has its code and its text, sanitised and shortened")
    func fault() async {
        let words = "no\u{1B}[2J\n\u{202E}" + String(repeating: "x", count: 1_000)
        await #expect {
            _ = try await height { _, _ in .fault(-8, words) }
        } throws: { error in
            guard case .rpc(code: -8, message: let message) = error as? NodeError else { return false }
            return message.text.hasPrefix("no<U+001B>[2J<U+000A><U+202E>xxx") && message.text.utf8.count < 300
        }
    }

    @Test(
        "a temporary failure is retried with longer pauses, three attempts in all",
        arguments: [
            .fails(.notConnected), .fails(.closed), .fails(.timedOut(.answering)),
            .raw("busy", status: 429), .raw("", status: 503), .fault(-28, "Loading block index…"),
        ] as [ScriptedNode.Reply])
    func patience(reply: ScriptedNode.Reply) async throws {
        let clock = HastyClock()
        let patience = NodeRetryPolicy(firstPause: .milliseconds(100), clock: clock)
        let (height, node) = try await height(patience) { _, earlier in earlier < 2 ? reply : .result(7) }
        #expect(height == 7)
        #expect(node.methods.count { $0 == "getblockcount" } == 3)
        #expect(clock.pauses == [.milliseconds(100), .milliseconds(200)])
        let count = Counter()
        await #expect(throws: NodeError.self) {
            try await self.height { _, _ in
                count.add()
                return reply
            }
        }
        #expect(count.value == 3)
    }

    @Test(
        "a permanent failure is not retried",
        arguments: [
            .raw("<html>"), .raw("{}"), .fault(-32601, "no such method"), .fails(.untrusted(.expired)),
            .fails(.notPinned(.noPins)),
            .fails(.notEncrypted),
            .fails(.tooLarge(limit: 1)), .raw("", status: 401),
        ] as [ScriptedNode.Reply])
    func hopeless(reply: ScriptedNode.Reply) async {
        let count = Counter()
        await #expect(throws: NodeError.self) {
            try await height { _, _ in
                count.add()
                return reply
            }
        }
        #expect(count.value == 1)
    }
}
