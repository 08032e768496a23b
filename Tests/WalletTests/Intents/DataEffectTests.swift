internal import Amounts
import BitcoinTestSupport
import Encoding
import TestSupport
import Testing

@testable import Bitcoin
@testable import Ethereum
@testable import Wallet

@Suite("Data in Bitcoin transactions")
struct DataEffectTests {
    private static let hello: [UInt8] = [0x6A, 5] + Array("hello".utf8)

    private func intent(_ outputs: [(script: [UInt8], satoshis: UInt64)], paysBob: Bool = true) throws -> Intent {
        let signer = try LoneSigner()
        var draft = try Draft.payment(by: signer)
        if !paysBob { draft.outputs.removeFirst() }
        draft.outputs += outputs.map { (ScriptPubKey($0.script), $0.satoshis) }
        return Intent(SpendSummary(of: try draft.psbt, for: signer.ownership)).checked(in: Sample.context())
    }

    @Test("data are an effect beside the payments, and not a payment")
    func effect() throws {
        let intent = try intent([(Self.hello, 0)])
        #expect(intent.effects.map(\.kind) == [.payment, .data])
        #expect(intent.effects.last == .data(ScriptPubKey(Self.hello)))
        #expect(intent.refusals.isEmpty)
        #expect(intent.findings.filter { $0.name == "data" }.map(\.weight) == [.notice])
        #expect(try self.intent([(Self.hello, 0)], paysBob: false).effects == [.data(ScriptPubKey(Self.hello))])
        let effect = Effect.data(ScriptPubKey(Self.hello))
        #expect(effect.party == nil && effect.asset == nil && effect.amount == nil)
    }

    @Test("an amount in a data output is burned: that is costly, and a payment")
    func burned() throws {
        let intent = try intent([(Self.hello, 500)])
        let script = ScriptPubKey(Self.hello)
        #expect(intent.effects.dropFirst() == [.payment(.coin, amount: 500, to: .script(script)), .data(script)])
        #expect(intent.costs(besides: []).map(\.name) == ["unspendable"])
        // 60,000 to Bob, 500 burned, and a fee of 500.
        for (limit, verdict) in [("0.00061", Decision.Verdict.allowed), ("0.00060999", .denied)] {
            let rules =
                #"{"name": "a", "if": {"at_most": "\#(limit) BTC@bitcoin:regtest"}, "then": "allow"}, "#
                + #"{"name": "b", "if": {"effect": "data"}, "then": "allow"}"#
            let policy = try Policy(file: Array(#"{"version": 1, "rules": [\#(rules)]}"#.utf8))
            #expect(policy.decide(on: intent, in: Sample.context()).verdict == verdict)
        }
    }

    @Test("as many bytes as nodes relay are signed, one more is not, nor in several outputs together")
    func bound() throws {
        let most = [UInt8](repeating: 7, count: 80)
        let script = [0x6A, 0x4C, 80] + most
        #expect(try intent([(script, 0)]).refusals.isEmpty)
        #expect(try intent([([0x6A, 0x4C, 81, 7] + most, 0)]).refusals.map(\.name) == ["too_much_data"])
        #expect(try intent([(script, 0), ([0x6A], 0)]).refusals.map(\.name) == ["too_much_data"])
    }

    @Test("a policy needs a matching rule to allow data, and the default policy has one")
    func policy() throws {
        let intent = try intent([(Self.hello, 0)])
        #expect(Policy.standard.decide(on: intent, in: Sample.context()).verdict == .allowed)
        func verdict(_ rules: String) throws -> Decision.Verdict {
            try Policy(file: Array(#"{"version": 1, "rules": [\#(rules)]}"#.utf8))
                .decide(on: intent, in: Sample.context()).verdict
        }
        let payments = #"{"name": "a", "if": {"effect": "payment"}, "then": "allow"}"#
        #expect(try verdict(payments) == .denied)
        let limit = #"{"name": "a", "if": {"at_most": "1 BTC@bitcoin:regtest"}, "then": "allow"}"#
        #expect(try verdict(limit) == .denied)
        #expect(try verdict(payments + #", {"name": "b", "if": {"effect": "data"}, "then": "allow"}"#) == .allowed)
        #expect(try verdict(payments + #", {"name": "b", "if": {"remark": "data"}, "then": "allow"}"#) == .allowed)
    }

    @Test("data are shown as text if all of it is plain text, and always as digits")
    func words() {
        func words(_ script: [UInt8]) -> String? { ScriptPubKey(script).data?.description }
        #expect(words(Self.hello) == "'hello' (0x68656c6c6f)")
        #expect(words([0x6A]) == "no bytes" && words([0x6A, 0]) == "no bytes")
        #expect(words([0x6A, 0x4C, 2, 0x68, 0x69]) == "'hi' (0x6869)")
        #expect(words([0x6A, 0x4D, 2, 0, 0x68, 0x69, 1, 0x21]) == "'hi!' (0x686921)")
        #expect(words([0x6A, 0x4E, 1, 0, 0, 0, 0x21]) == "'!' (0x21)")
        // Bytes that are not text; an invisible character; one that reverses the line.
        #expect(words([0x6A, 2, 0xFF, 0xFE]) == "0xfffe")
        #expect(words([0x6A, 2, 0x68, 0x0A]) == "0x680a")
        #expect(words([0x6A, 4, 0x68, 0xE2, 0x80, 0xAE]) == "0x68e280ae")
        // More than bytes, and fewer than announced: everything present is shown.
        #expect(words([0x6A, 0x51]) == "0x51" && words([0x6A, 2, 1]) == "0x0201")
        #expect(words([0x6A, 0x4C]) == "0x4c" && words([0x6A, 0x4E, 0xFF, 0xFF, 0xFF, 0x7F]) == "0x4effffff7f")
        #expect(ScriptPubKey([0x51]).data == nil && ScriptPubKey([]).data == nil)
    }
}
