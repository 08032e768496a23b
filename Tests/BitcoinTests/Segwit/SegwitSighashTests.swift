import BitcoinTestSupport
import Curves
import Foundation
import TestSupport
import Testing

@testable import Bitcoin
@testable import HDKeys

@Suite("SegWit signature hashes")
struct SegwitSighashTests {
    /// BIP-143, "Native P2WPKH": the transaction, and its inputs' outputs.
    static let transaction = hex(
        "0100000002fff7f7881a8099afa6940d42d1e7f6362bec38171ea3edf433541db4e4ad969f0000000000eeffffff"
            + "ef51e1b804cc89d182d279655c3aa89e815b1b309fe287d9b2b55d57b90ec68a0100000000ffffffff"
            + "02202cb206000000001976a9148280b37df378db99f66f85c95a783a76ac7a6d5988ac"
            + "9093510d000000001976a9143bde42dbee7e4dbe6a21b2d50ce2f0167faa815988ac11000000")

    static var previousOutputs: [TransactionOutput] {
        get throws {
            [
                TransactionOutput(
                    amount: try Amount(satoshis: 625_000_000),
                    scriptPubKey: ScriptPubKey(
                        hex("2103c9f4836b9a4f77fc0d81f7bcb01b7f1b35916864b9476c241ce9fc198bd25432ac"))),
                TransactionOutput(
                    amount: try Amount(satoshis: 600_000_000),
                    scriptPubKey: ScriptPubKey(hex("00141d0f172a0ecb48aee1be1f2687d2963ae33f71a1"))),
            ]
        }
    }

    @Test("the example of P2WPKH: hash, signature, and verification")
    func example() throws {
        let unsigned = try Transaction(decodingUnsigned: Self.transaction)
        let sighash = try SegwitSighash(unsigned, spending: Self.previousOutputs)
        let message = try sighash.hash(input: 1, type: .all)
        #expect(message == hex("c37af31116d1b27caf68aae9e3ac82f1477929014d5b917657d0eb49478cb670"))
        let secret = try Scalar<Secp256k1>(
            canonical: hex("619c335025c7f4012e556c2a58b2506e30b8511b53ade95ea316fd8c3286feb9"))
        let signature = try ECDSASignature.sign(message: message, key: SecretScalar(secret))
        #expect(
            signature.der
                == hex(
                    "304402203609e17b84f6a7d30c80bfa610b5b4542f32a8a0d5447a12fb1366d7f01cc44a"
                        + "0220573a954c4518331561406f90300e8f3358f51928d43c212a8caed02de67eebee"))
        let key = hex("025476c2e83188368da1ff3e292e7acafcdb3566bb0ad253f62fc70f07aeee6357")
        let psbt = try PSBT(unsigned, previousOutputs: Self.previousOutputs)
        let sighashes = try Sighashes(unsigned, spending: Self.previousOutputs)
        #expect(throws: Never.self) { try psbt.verify([signature.der + [1], key], input: 1, sighashes: sighashes) }
    }

    @Test("outputs other than P2WPKH, taproot's own types and missing inputs are refused")
    func refused() throws {
        let unsigned = try Transaction(decodingUnsigned: Self.transaction)
        #expect(throws: BitcoinError.badTransaction) { try SegwitSighash(unsigned, spending: []) }
        let sighash = try SegwitSighash(unsigned, spending: Self.previousOutputs)
        #expect(throws: BitcoinError.badTransaction) { try sighash.hash(input: 0, type: .all) }
        #expect(throws: BitcoinError.badTransaction) { try sighash.hash(input: 1, type: .default) }
        #expect(throws: BitcoinError.incomplete(input: 2)) { try sighash.hash(input: 2, type: .all) }
        #expect(throws: BitcoinError.incomplete(input: -1)) { try sighash.hash(input: -1, type: .all) }
    }

    @Test("each part of the transaction changes the hash, except the amounts of other inputs")
    func sensitive() throws {
        let signer = try LoneSigner.withBothKeys()
        func hash(_ change: (inout Draft) -> Void) throws -> [UInt8] {
            var draft = try Draft.mixedPayment(by: signer)
            change(&draft)
            return try SegwitSighash(draft.transaction, spending: draft.previousOutputs).hash(input: 0, type: .all)
        }
        let changes: [(inout Draft) -> Void] = [
            { _ in }, { $0.version = 1 }, { $0.lockTime = 1 }, { $0.inputs[0].satoshis += 1 },
            { $0.inputs[0].sequence -= 1 }, { $0.inputs[1].sequence -= 1 }, { $0.inputs[0].script = Draft.bob },
            { $0.outputs[0].satoshis += 1 }, { $0.outputs[2].script = ScriptPubKey([]) },
            { $0.outputs.swapAt(0, 1) }, { $0.outputs.removeLast() }, { $0.inputs.append($0.inputs[0]) },
        ]
        #expect(Set(try changes.map(hash)).count == changes.count)
        // The weakness that makes all previous transactions necessary.
        #expect(try hash { $0.inputs[1].satoshis += 1 } == hash { _ in })
    }
}

@Suite("BIP-143 vectors")
struct BIP143VectorTests {
    private static func sighash(_ test: JSON, _ script: ScriptPubKey) throws -> SegwitSighash {
        let amount = try Amount(satoshis: UInt64(try test["satoshis"].integer))
        return try SegwitSighash(
            Transaction(decodingUnsigned: test["transaction"].bytes),
            spending: [TransactionOutput(amount: amount, scriptPubKey: script)])
    }

    @Test("P2SH-P2WPKH: the hash covers the inner key hash")
    func nested() throws {
        let test = try Vectors.json("bip143")["p2sh-p2wpkh"]
        let sighash = try Self.sighash(test, ScriptPubKey(test["script"].bytes))
        let expected = try test["hashes"].array(of: 1)[0]
        #expect(try sighash.hash(input: 0, type: .all) == expected["hash"].bytes)
    }

    @Test("P2SH-P2WSH: the messages and hashes of all six types")
    func types() throws {
        let test = try Vectors.json("bip143")["p2sh-p2wsh"]
        let script = try test["script"].bytes
        let sighash = try Self.sighash(test, ScriptPubKey([]))
        let types: [SighashType] = [.all, .none, .single, .allAnyoneCanPay, .noneAnyoneCanPay, .singleAnyoneCanPay]
        for (type, expected) in zip(types, try test["hashes"].array(of: types.count)) {
            let message = sighash.message(input: 0, scriptCode: script, type)
            #expect(try message == expected["message"].bytes, "\(type)")
            #expect(try SegwitSighash.doubleHash(message) == expected["hash"].bytes, "\(type)")
        }
    }
}
