internal import Foundation
import TestSupport
import Testing

/// The independent peers, tested on a foreign wallet before they judge ours: they accept valid input, and refuse
/// invalid input.
@Suite(
    "The peers agree with each other",
    .enabled(if: Peer.node.isExpected, Comment(rawValue: Peer.node.absence)),
    .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct PeersTests {
    struct Description: Decodable {
        let internal_xonly: String
        let script_pubkey: String
    }
    struct Signed: Decodable { let tx: String }

    static let secret = String(repeating: "01", count: 32)

    @Test(
        "what embit signed is accepted by Bitcoin Core's script engine and mined; a changed signature or amount is not")
    func peersAgree() throws {
        let node = try Node()
        let key = try Python.ask("single_key.py", command: "script", ["secret": Self.secret], for: Description.self)
        let coin = try node.fund(scriptPubKey: key.script_pubkey)
        #expect(coin.value == 5_000_000_000)

        let psbt = try Embit.psbt(
            inputs: [.init(coin, key: .init(internalXOnly: key.internal_xonly))],
            outputs: [.init(value: coin.value - 1_000, scriptPubKey: key.script_pubkey)])
        let signed = try Python.ask(
            "single_key.py", command: "sign", ["secret": Self.secret, "psbt": psbt], for: Signed.self
        ).tx

        #expect(try Kernel.verdicts(on: signed, spending: [coin]) == [true])
        #expect(try node.refusal(of: signed) == nil)

        let tampered = changingTheSignature(of: signed)
        #expect(try Kernel.verdicts(on: tampered, spending: [coin]) == [false])
        #expect(try node.refusal(of: tampered)?.contains("Invalid Schnorr signature") == true)
        var otherAmount = coin
        otherAmount.value += 1
        #expect(try Kernel.verdicts(on: signed, spending: [otherAmount]) == [false])

        #expect(try node.mine(signed) == 1)
    }

    @Test("a command on a terminal asks and gets an answer; text typed without echo is not shown")
    func terminal() throws {
        let session = try Terminal.run(
            [
                "sh", "-c",
                "printf 'name? '; read a; stty -echo; printf 'word? '; read b; stty echo; echo $a $FROM; exit 3",
            ],
            environment: ["FROM": "here"], answers: [("name? ", "ann"), ("word? ", "hidden")])
        #expect(session.screen.contains("ann here"))
        #expect(!session.screen.contains("hidden"))
        #expect(session.exit == 3)
    }

    @Test("a node ends with the value that owns it")
    func leash() throws {
        let process: String
        do {
            let node = try Node()
            let files = try Program.output("/bin/sh", ["-c", "cat '\(node.path)'/node/regtest/*.pid"])
            process = files.trimmingCharacters(in: .whitespacesAndNewlines)
            #expect(try Program.run("/bin/sh", ["-c", "kill -0 \(process)"]).isSuccess)
        }
        #expect(try !Program.run("/bin/sh", ["-c", "kill -0 \(process)"]).isSuccess)
    }

    /// The signature is the 64 bytes before the four of the lock time.
    private func changingTheSignature(of transaction: String) -> String {
        var digits = Array(transaction)
        let last = digits.count - 2 * 4 - 1
        digits[last] = digits[last] == "0" ? "1" : "0"
        return String(digits)
    }
}
