import Curves
import TestSupport
import Testing

@testable import Wallet

/// embit makes the PSBT from the group's x coordinate alone, and Bitcoin Core's script engine judges what we sign.
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

    @Test("is read, known as ours, signed, and valid for Bitcoin Core", arguments: [UInt64(6), 7, 9])
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
            Coin(txid: $0.txid, vout: $0.vout, value: $0.value, scriptPubKey: $0.script_pubkey)
        }
        #expect(try Kernel.verdicts(on: hex(transaction.encoded), spending: coins) == [true, true])
        // The engine does judge: with another amount the signatures, which cover it, are void.
        let lies = coins.map { Coin(txid: $0.txid, vout: $0.vout, value: $0.value + 1, scriptPubKey: $0.scriptPubKey) }
        #expect(try Kernel.verdicts(on: hex(transaction.encoded), spending: lies) == [false, false])
    }
}
