import BitcoinTestSupport
import Curves
import TestSupport
import Testing

@testable import Bitcoin
@testable import HDKeys

/// embit makes the PSBT from the group's x-coordinate alone, and Bitcoin Core's script engine verifies the signatures.
@Suite("PSBTs by embit", .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct EmbitTests {
    private struct Request: Encodable {
        struct Key: Encodable {
            let group_xonly: String
            let path: String
        }
        struct Input: Encodable {
            let txid: String
            let vout: Int
            let value: Int64
            let script_pubkey: String
            let key: Key
        }
        struct Output: Encodable {
            let value: Int64
            let script_pubkey: String
            let key: Key?
        }
        let inputs: [Input]
        let outputs: [Output]
    }

    private struct Answer: Decodable { let psbt: String }

    /// Previous transactions are real ones here: embit writes them, and the amounts are those of their outputs.
    @Test(
        "from both accounts is read, signed, put together by embit, and valid for Bitcoin Core",
        arguments: [UInt64(6), 7])
    func bothAccounts(_ secret: UInt64) throws {
        let signer = try LoneSigner(ecdsa: secret)
        let far = try AddressPath(.change, index: 3_000)
        let far2 = try AddressPath(.receive, index: 4_000)
        var draft = try Draft.mixedPayment(by: signer)
        draft.inputs[0].script = try signer.segwit.key(at: far).scriptPubKey
        draft.inputs[1].script = try signer.account.key(at: far2).scriptPubKey
        let group = hex(try signer.segwit.key.point.encoded)
        let change = try AddressPath(.change, index: 1)
        let keys = [
            Embit.Key(groupPoint: group, path: far.description),
            Embit.Key(groupXOnly: hex(signer.account.key.point.xOnly), path: far2.description),
        ]
        let previous = try draft.previousTransactions
        let coins = zip(previous, draft.inputs).map { previous, input in
            TestSupport.Coin(
                txid: previous.id.description, vout: 0, value: Int64(input.satoshis),
                scriptPubKey: hex(input.script.bytes))
        }
        let inputs = coins.indices.map {
            Embit.Input(coins[$0], key: keys[$0], previousTransaction: hex(previous[$0].encoded))
        }
        let outputs = [
            Embit.Output(value: 60_000, scriptPubKey: hex(Draft.bob.bytes)),
            Embit.Output(
                value: 39_000, scriptPubKey: hex(try signer.segwit.key(at: change).scriptPubKey.bytes),
                key: Embit.Key(groupPoint: group, path: change.description)),
        ]
        let psbt = try PSBT(text: Embit.psbt(inputs: inputs, outputs: outputs))
        #expect(psbt.unknownFieldCount == 0)
        let summary = SpendSummary(of: psbt, for: signer.ownership)
        #expect(summary.refusals.isEmpty && summary.warnings == [.replaceable])
        #expect(summary.inputs.map(\.path) == [far, far2])
        #expect(summary.outputs.map(\.path) == [nil, change])

        let signed = try signer.sign(psbt)
        let transaction = try signed.finalised().transaction()
        #expect(try Embit.transaction(of: signed.base64) == hex(transaction.encoded))
        #expect(try Kernel.verdicts(on: hex(transaction.encoded), spending: coins) == [true, true])
        // A P2WPKH signature does not cover the other input's amount, which is why the wallet requires proof of it.
        var lies = coins
        lies[1] = TestSupport.Coin(txid: coins[1].txid, vout: 0, value: 1, scriptPubKey: coins[1].scriptPubKey)
        #expect(try Kernel.verdicts(on: hex(transaction.encoded), spending: lies) == [true, false])

        // Without the previous transactions embit's PSBT is refused.
        let bare = try PSBT(
            text: Embit.psbt(inputs: coins.indices.map { Embit.Input(coins[$0], key: keys[$0]) }, outputs: outputs))
        #expect(
            SpendSummary(of: bare, for: signer.ownership).refusals
                == [.unprovenAmount(input: 0), .unprovenAmount(input: 1)])
    }

    @Test("is read, recognised, signed, and valid for Bitcoin Core", arguments: [UInt64(6), 7, 9])
    func payment(_ secret: UInt64) throws {
        let signer = try LoneSigner(secret: secret)
        let group = hex(signer.account.key.point.xOnly)
        let spent = [try AddressPath(.receive, index: 0), try AddressPath(.change, index: 3_000)]
        let change = try AddressPath(.change, index: 1)
        func script(_ path: AddressPath) throws -> String {
            hex(try signer.account.address(at: path).scriptPubKey.bytes)
        }
        func key(_ path: AddressPath) -> Request.Key { Request.Key(group_xonly: group, path: path.description) }
        let request = Request(
            inputs: try spent.enumerated().map { number, path in
                Request.Input(
                    txid: String(repeating: "0\(number + 1)", count: 32), vout: number, value: 50_000,
                    script_pubkey: try script(path), key: key(path))
            },
            outputs: [
                Request.Output(value: 70_000, script_pubkey: hex(Draft.bob.bytes), key: nil),
                Request.Output(value: 29_000, script_pubkey: try script(change), key: key(change)),
            ])
        let psbt = try PSBT(text: Python.ask("make_psbt.py", request, for: Answer.self).psbt)
        #expect(psbt.unknownFieldCount == 0)
        let summary = SpendSummary(of: psbt, for: signer.ownership)
        #expect(summary.refusals.isEmpty && summary.warnings == [.replaceable])
        #expect(summary.inputs.map(\.path) == spent)
        #expect(summary.outputs.map(\.path) == [nil, change])
        #expect(summary.paid.satoshis == 70_000 && summary.fee?.satoshis == 1_000)
        let transaction = try signer.sign(psbt).finalised().transaction()
        let coins = request.inputs.map {
            TestSupport.Coin(txid: $0.txid, vout: $0.vout, value: $0.value, scriptPubKey: $0.script_pubkey)
        }
        #expect(try Kernel.verdicts(on: hex(transaction.encoded), spending: coins) == [true, true])
        // The engine does verify: with another amount the signatures, which cover it, are void.
        let lies = coins.map {
            TestSupport.Coin(txid: $0.txid, vout: $0.vout, value: $0.value + 1, scriptPubKey: $0.scriptPubKey)
        }
        #expect(try Kernel.verdicts(on: hex(transaction.encoded), spending: lies) == [false, false])
    }
}
