import BitcoinTestSupport
import Curves
import TestSupport
import Testing

@testable import Bitcoin
@testable import HDKeys

@Suite("Signing")
struct SigningTests {
    @Test(
        "a payment is signed, finalised and extracted, for a group key of either parity",
        arguments: [UInt64(6), 7, 9, 3])
    func roundTrip(_ secret: UInt64) throws {
        let signer = try LoneSigner(secret: secret)
        let psbt = try Draft.payment(by: signer).psbt
        let signed = try signer.sign(psbt)
        #expect(signed.inputs[0].tapKeySignature?.count == 64)
        #expect(try PSBT(decoding: signed.encoded) == signed)
        let final = try signed.finalised()
        #expect(final.inputs[0].isFinal && final.inputs[0].tapKeySignature == nil)
        #expect(try PSBT(decoding: final.encoded) == final)
        #expect(try final.finalised() == final)
        let transaction = try final.transaction()
        #expect(transaction.id == psbt.unsignedTransaction.id)
        #expect(transaction.inputs[0].witness.map(\.count) == [64])
        #expect(try Transaction(decoding: transaction.encoded) == transaction)
        let summary = SpendSummary(of: psbt, for: signer.ownership)
        #expect(summary.isSizeExact && summary.virtualSize == transaction.virtualSize)
    }

    @Test("SIGHASH_ALL gives a signature of 65 bytes, and the predicted size")
    func all() throws {
        let signer = try LoneSigner()
        let psbt = try Draft.payment(by: signer).psbt.adding([0x03], [1, 0, 0, 0], toMap: 1)
        let signed = try signer.sign(psbt)
        #expect(signed.inputs[0].tapKeySignature?.count == 65)
        let transaction = try signed.finalised().transaction()
        #expect(SpendSummary(of: psbt, for: signer.ownership).virtualSize == transaction.virtualSize)
    }

    private func request() throws -> (LoneSigner, PSBT, SigningRequest, [UInt8]) {
        let signer = try LoneSigner()
        let psbt = try Draft.payment(by: signer).psbt
        let request = try #require(SpendSummary(of: psbt, for: signer.ownership).signingRequests.first)
        return (signer, psbt, request, try signer.signature(for: request))
    }

    @Test("a signature that does not verify, or does not have 64 bytes, is not inserted")
    func wrong() throws {
        var (signer, psbt, request, signature) = try request()
        let before = psbt
        for position in [0, 31, 32, 63] {
            var changed = signature
            changed[position] ^= 1
            #expect(throws: BitcoinError.badSignature(input: 0)) { try psbt.insert(signature: changed, for: request) }
        }
        for bytes in [[], signature + [0], signature + [1], Array(signature.dropLast())] {
            #expect(throws: BitcoinError.badSignature(input: 0)) { try psbt.insert(signature: bytes, for: request) }
        }
        // A valid signature of another type than requested.
        let sighash = try TaprootSighash(psbt.unsignedTransaction, spending: psbt.previousOutputs())
        let all = SigningRequest(
            input: 0, message: try sighash.hash(input: 0, type: .all), sighashType: .all, key: request.key)
        let signatureOfAll = try signer.signature(for: all) + [1]
        #expect(throws: BitcoinError.badSignature(input: 0)) {
            try psbt.insert(signature: signatureOfAll, for: request)
        }
        #expect(psbt == before)
        try psbt.insert(signature: signature, for: request)
        try psbt.insert(signature: signature, for: request)
    }

    @Test("a signature is inserted only into the transaction for which it was requested")
    func otherTransaction() throws {
        let (signer, _, request, signature) = try request()
        for change: (inout Draft) -> Void in [
            { $0.outputs[0].satoshis -= 1 }, { $0.outputs[0].script = ScriptPubKey([0x51]) }, { $0.lockTime = 1 },
            { $0.version = 1 }, { $0.inputs[0].sequence = 0 }, { $0.inputs[0].satoshis += 1 },
            { $0.inputs[0].script = Draft.bob },
        ] {
            var draft = try Draft.payment(by: signer)
            change(&draft)
            var other = try draft.psbt
            #expect(throws: BitcoinError.badSignature(input: 0)) {
                try other.insert(signature: signature, for: request)
            }
        }
        // A signature valid here is not inserted by a request for another input.
        var draft = try Draft.payment(by: signer)
        draft.lockTime = 1
        var other = try draft.psbt
        let right = try #require(SpendSummary(of: other, for: signer.ownership).signingRequests.first)
        let foreign = try signer.signature(for: right)
        #expect(throws: BitcoinError.badSignature(input: 0)) { try other.insert(signature: foreign, for: request) }
        var short = try PSBT(Transaction(version: 2, inputs: [], outputs: [], lockTime: 0))
        #expect(throws: BitcoinError.incomplete(input: 0)) { try short.insert(signature: signature, for: request) }
        var unshown = try PSBT(Draft.payment(by: signer).transaction)
        #expect(throws: BitcoinError.incomplete(input: 0)) { try unshown.insert(signature: signature, for: request) }
    }

    @Test("a request for another type of signature is refused, even with a valid signature of that type")
    func otherType() throws {
        let (signer, unsigned, request, _) = try request()
        var psbt = unsigned
        let sighash = try TaprootSighash(psbt.unsignedTransaction, spending: psbt.previousOutputs())
        for type in SighashType.allCases where !type.coversEverything {
            let forged = SigningRequest(
                input: 0, message: try sighash.hash(input: 0, type: type), sighashType: type, key: request.key)
            let signature = try signer.signature(for: forged)
            #expect(throws: BitcoinError.badSignature(input: 0)) { try psbt.insert(signature: signature, for: forged) }
        }
        #expect(psbt == unsigned)
    }

    @Test("another signature is not overwritten")
    func conflict() throws {
        let (signer, psbt, request, signature) = try request()
        var signed = psbt
        try signed.insert(signature: signature, for: request)
        let another = try BIP340.sign(
            message: request.message, key: SecretScalar(signer.tweakedSecret(try request.tweaks)),
            auxiliary: [UInt8](repeating: 9, count: 32))
        #expect(another != signature)
        #expect(throws: BitcoinError.psbt(.conflict(PSBTField(.input(0), type: 0x13)))) {
            try signed.insert(signature: another, for: request)
        }
        #expect(throws: BitcoinError.psbt(.conflict(PSBTField(.input(0), type: 0x13)))) {
            var other = psbt
            try other.insert(signature: another, for: request)
            _ = try signed.combined(with: other)
        }
    }

    @Test("a PSBT with a missing or bad signature is neither finalised nor extracted")
    func incomplete() throws {
        let (_, psbt, _, signature) = try request()
        #expect(throws: BitcoinError.incomplete(input: 0)) { try psbt.finalised() }
        #expect(throws: BitcoinError.incomplete(input: 0)) { try psbt.transaction() }
        var changed = signature
        changed[40] ^= 1
        let bad = try psbt.adding([0x13], changed, toMap: 1)
        #expect(throws: BitcoinError.badSignature(input: 0)) { try bad.finalised() }
        // 4 is not a type; a 65th byte of 0 would be a second form of the same signature, and is refused at once.
        let long = try psbt.adding([0x13], signature + [4], toMap: 1)
        #expect(throws: BitcoinError.badSignature(input: 0)) { try long.finalised() }
        #expect(throws: BitcoinError.psbt(.badField(PSBTField(.input(0), type: 0x13)))) {
            try psbt.adding([0x13], signature + [0], toMap: 1)
        }
        let final = try psbt.adding([0x08], [1, 64] + changed, toMap: 1)
        #expect(throws: BitcoinError.badSignature(input: 0)) { try final.transaction() }
        // Only the signature may be in the witness of such a spend.
        let sighashes = try Sighashes(psbt.unsignedTransaction, spending: psbt.previousOutputs())
        #expect(throws: BitcoinError.badSignature(input: 0)) {
            try psbt.verify([signature, []], input: 0, sighashes: sighashes)
        }
        let scripted = try psbt.adding([0x08], [1, 64] + signature, toMap: 1).adding([0x07], [0x51], toMap: 1)
        #expect(throws: BitcoinError.badSignature(input: 0)) { try scripted.transaction() }
        let good = try psbt.adding([0x08], [1, 64] + signature, toMap: 1)
        #expect(throws: Never.self) { try good.transaction() }
    }

    @Test("a signature of another type than the PSBT requests is not finalised")
    func typeMismatch() throws {
        let (_, psbt, _, signature) = try request()
        let asked = try psbt.adding([0x03], [1, 0, 0, 0], toMap: 1).adding([0x13], signature, toMap: 1)
        #expect(throws: BitcoinError.badSignature(input: 0)) { try asked.finalised() }
    }

    @Test("finalising removes the fields that only served signing, and keeps the rest")
    func cleared() throws {
        let (signer, psbt, _, _) = try request()
        let key = try signer.account.key(at: AddressPath(.receive, index: 0))
        let full = try psbt.adding([0x17], key.internalKey, toMap: 1).adding([0x77], [1], toMap: 1)
            .adding([0x16] + key.internalKey, derivation(signer.account, [0, 0]), toMap: 1)
        let final = try signer.sign(full).finalised()
        #expect(final.inputs[0].tapInternalKey == nil && final.inputs[0].tapDerivations.isEmpty)
        #expect(final.inputs[0].previousOutput == psbt.inputs[0].previousOutput)
        #expect(final.unknownFieldCount == 1)
    }

    @Test("an empty transaction is not extracted")
    func empty() throws {
        let empty = try PSBT(Transaction(version: 2, inputs: [], outputs: [], lockTime: 0))
        #expect(throws: BitcoinError.badTransaction) { try empty.transaction() }
    }
}
