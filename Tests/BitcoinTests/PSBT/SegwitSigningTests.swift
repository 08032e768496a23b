import BitcoinTestSupport
import Curves
import TestSupport
import Testing

@testable import Bitcoin
@testable import HDKeys

@Suite("Signing P2WPKH")
struct SegwitSigningTests {
    private func request() throws -> (LoneSigner, PSBT, SigningRequest, [UInt8], publicKey: [UInt8]) {
        let signer = try LoneSigner.withBothKeys()
        let psbt = try Draft.segwitPayment(by: signer).provenPSBT
        let request = try #require(SpendSummary(of: psbt, for: signer.ownership).signingRequests.first)
        guard case .segwit(let key) = request.key else { throw HDKeyError.badKey }
        return (signer, psbt, request, try signer.signature(for: request), key.publicKey.encoded)
    }

    @Test("a payment is signed, finalised and extracted, for a group key of either parity", arguments: [UInt64(6), 7])
    func roundTrip(_ secret: UInt64) throws {
        let signer = try LoneSigner(ecdsa: secret)
        let psbt = try Draft.segwitPayment(by: signer).provenPSBT
        let summary = SpendSummary(of: psbt, for: signer.ownership)
        #expect(summary.refusals.isEmpty && summary.warnings.isEmpty)
        #expect(summary.spent.satoshis == 100_000 && summary.returned.satoshis == 39_000)
        #expect(summary.inputs.map(\.sighashType) == [.all])
        #expect(!summary.isSizeExact)
        let request = try #require(summary.signingRequests.first)
        let path = try AddressPath(.receive, index: 0)
        #expect(request.key == .segwit(try signer.segwit.key(at: path)) && request.key.path == path)
        #expect(request.sighashType == .all)

        let signed = try signer.sign(psbt)
        let publicKey = try signer.segwit.key(at: path).publicKey.encoded
        let signature = try #require(signed.inputs[0].partialSignature(by: publicKey))
        #expect(signature.last == 1 && (70...72).contains(signature.count))
        #expect(try PSBT(decoding: signed.encoded) == signed)
        #expect(SpendSummary(of: signed, for: signer.ownership).refusals == [.nothingToSign])

        let final = try signed.finalised()
        #expect(final.inputs[0].isFinal && final.inputs[0].partialSignature(by: publicKey) == nil)
        #expect(final.inputs[0].isProven)
        #expect(try final.finalised() == final)
        #expect(SpendSummary(of: final, for: signer.ownership).refusals == [.nothingToSign])
        let transaction = try final.transaction()
        #expect(transaction.inputs[0].witness == [signature, publicKey])
        #expect(transaction.id == psbt.unsignedTransaction.id)
        #expect((summary.virtualSize - 1...summary.virtualSize).contains(transaction.virtualSize))
    }

    @Test("a payment from both accounts: one request for each input, with its own key, in one insertion")
    func mixed() throws {
        let signer = try LoneSigner.withBothKeys()
        let psbt = try Draft.mixedPayment(by: signer).provenPSBT
        let summary = SpendSummary(of: psbt, for: signer.ownership)
        #expect(summary.refusals.isEmpty)
        #expect(summary.spent.satoshis == 100_000 && summary.returned.satoshis == 39_000)
        #expect(summary.fee?.satoshis == 1_000)
        let one = try AddressPath(.change, index: 1)
        #expect(summary.outputs.map(\.path) == [nil, one, one])
        #expect(summary.signingRequests.map(\.input) == [0, 1])
        #expect(summary.signingRequests.map(\.sighashType) == [.all, .default])

        var together = psbt
        try together.insert(try summary.signingRequests.map { ($0, try signer.signature(for: $0)) })
        // Or by each of the two ceremonies alone, and then combined.
        var schnorr = psbt
        var ecdsa = psbt
        try ecdsa.insert(signature: signer.signature(for: summary.signingRequests[0]), for: summary.signingRequests[0])
        try schnorr.insert(
            signature: signer.signature(for: summary.signingRequests[1]), for: summary.signingRequests[1])
        #expect(try schnorr.combined(with: ecdsa) == together)
        #expect(SpendSummary(of: ecdsa, for: signer.ownership).signingRequests.map(\.input) == [1])
        #expect(throws: BitcoinError.incomplete(input: 1)) { try ecdsa.finalised() }
        #expect(throws: BitcoinError.incomplete(input: 0)) { try schnorr.finalised() }
        let transaction = try together.finalised().transaction()
        #expect(transaction.inputs.map(\.witness.count) == [2, 1])
        // Also if it is requested explicitly.
        let asked = try psbt.replacing(0x03, with: [1, 0, 0, 0], ofInput: 0)
        #expect(throws: Never.self) { try signer.sign(asked).finalised().transaction() }
    }

    @Test("a signature that does not verify, does not have 64 bytes, or has a high s is not inserted")
    func wrong() throws {
        var (signer, psbt, request, signature, _) = try request()
        let before = psbt
        for position in [0, 31, 32, 63] {
            var changed = signature
            changed[position] ^= 1
            #expect(throws: BitcoinError.badSignature(input: 0)) { try psbt.insert(signature: changed, for: request) }
        }
        let high = signature.prefix(32) + (-(try Scalar<Secp256k1>(canonical: signature.suffix(32)))).encoded
        let zeros = [UInt8](repeating: 0, count: 64)
        let der = try ECDSASignature(compact: signature).der
        for bytes in [[], signature + [1], Array(signature.dropLast()), Array(high), zeros, der, der + [1]] {
            #expect(throws: BitcoinError.badSignature(input: 0)) { try psbt.insert(signature: bytes, for: request) }
        }
        // By the untweaked key, and by the key of another address.
        for tweak in [Scalar<Secp256k1>.zero, try signer.segwit.key(at: AddressPath(.receive, index: 1)).tweak] {
            let other = try ECDSASignature.sign(
                message: request.message, key: SecretScalar(signer.ecdsaSecret + tweak))
            #expect(throws: BitcoinError.badSignature(input: 0)) {
                try psbt.insert(signature: other.compact, for: request)
            }
        }
        #expect(psbt == before)
        try psbt.insert(signature: signature, for: request)
        try psbt.insert(signature: signature, for: request)
    }

    @Test("a signature is inserted only where it was requested: transaction, input, kind of key, and type")
    func misplaced() throws {
        let (signer, psbt, request, signature, _) = try request()
        for change: (inout Draft) -> Void in [
            { $0.outputs[0].satoshis -= 1 }, { $0.lockTime = 1 }, { $0.version = 1 }, { $0.inputs[0].sequence = 0 },
            { $0.inputs[0].satoshis += 1 }, { $0.inputs[0].script = Draft.bob },
        ] {
            var draft = try Draft.segwitPayment(by: signer)
            change(&draft)
            var other = try draft.provenPSBT
            #expect(throws: BitcoinError.badSignature(input: 0)) {
                try other.insert(signature: signature, for: request)
            }
        }
        let sighash = try SegwitSighash(psbt.unsignedTransaction, spending: psbt.previousOutputs())
        for type in SighashType.allCases where type != .all {
            guard let message = try? sighash.hash(input: 0, type: type) else {
                #expect(type == .default)
                continue
            }
            let forged = SigningRequest(input: 0, message: message, sighashType: type, key: request.key)
            let right = try signer.signature(for: forged)
            var changed = psbt
            #expect(throws: BitcoinError.badSignature(input: 0)) { try changed.insert(signature: right, for: forged) }
        }
        // The other account's key, with a valid signature by it.
        let taproot = try signer.account.key(at: AddressPath(.receive, index: 0))
        let crossed = SigningRequest(
            input: 0, message: request.message, sighashType: .all, key: .taproot(taproot))
        var changed = psbt
        let schnorr = try signer.signature(for: crossed)
        #expect(throws: BitcoinError.badSignature(input: 0)) { try changed.insert(signature: schnorr, for: crossed) }
        var mixed = try Draft.mixedPayment(by: signer).provenPSBT
        let requests = SpendSummary(of: mixed, for: signer.ownership).signingRequests
        for (from, to) in [(0, 1), (1, 0)] {
            let swapped = SigningRequest(
                input: requests[to].input, message: requests[to].message, sighashType: requests[to].sighashType,
                key: requests[from].key)
            let right = try signer.signature(for: swapped)
            #expect(throws: BitcoinError.badSignature(input: to)) { try mixed.insert(signature: right, for: swapped) }
        }
        // One refused signature also keeps the others out.
        let before = mixed
        let good = try signer.signature(for: requests[0])
        #expect(throws: BitcoinError.badSignature(input: 1)) {
            try mixed.insert([(requests[0], good), (requests[1], good)])
        }
        #expect(mixed == before)
    }

    @Test("another signature by the same key is not overwritten")
    func conflict() throws {
        let (signer, psbt, request, signature, publicKey) = try request()
        // r and s of the nonce 5: also valid, but not RFC 6979's.
        let key = signer.ecdsaSecret + (try signer.segwit.key(at: AddressPath(.receive, index: 0)).tweak)
        let nonce = Scalar<Secp256k1>(5)
        let r = try Scalar<Secp256k1>(canonical: Secp256k1.Point.generator.multipliedVariableTime(by: nonce).xOnly)
        let s = try nonce.inverted() * (Scalar(reducing: request.message) + r * key)
        let another = try ECDSASignature.normalised(r: r, s: s).signature.compact
        #expect(another != signature)
        var signed = psbt
        try signed.insert(signature: signature, for: request)
        var other = psbt
        try other.insert(signature: another, for: request)
        #expect(other.inputs[0].partialSignature(by: publicKey) != nil)
        let conflict = BitcoinError.psbt(.conflict(PSBTField(.input(0), type: 0x02)))
        #expect(throws: conflict) { try signed.insert(signature: another, for: request) }
        #expect(throws: conflict) { try signed.combined(with: other) }
    }

    @Test("a PSBT with a bad signature is refused, and neither finalised nor extracted")
    func bad() throws {
        let (signer, psbt, _, signature, key) = try request()
        let der = try ECDSASignature(compact: signature).der
        let high = try Scalar<Secp256k1>(canonical: signature.suffix(32))
        let turned = [2, 33, 0] + (-high).encoded
        let r = der.prefix(4 + Int(der[3])).dropFirst(2)
        let highDER = [0x30, UInt8(r.count + turned.count)] + r + turned
        let sighash = try SegwitSighash(psbt.unsignedTransaction, spending: psbt.previousOutputs())
        let single = try ECDSASignature.sign(
            message: sighash.hash(input: 0, type: .single),
            key: SecretScalar(signer.ecdsaSecret + signer.segwit.key(at: AddressPath(.receive, index: 0)).tweak))
        var changed = der
        changed[der.count - 1] ^= 1
        // Bytes that are not strict DER, or have a high s, are refused at once.
        for value in [der + [0, 1], highDER + [1], [UInt8](repeating: 1, count: 71)] {
            #expect(throws: BitcoinError.psbt(.badField(PSBTField(.input(0), type: 0x02)))) {
                try psbt.replacing(0x02, data: key, with: value, ofInput: 0)
            }
        }
        for value in [changed + [1], der + [0], der + [4], der + [2], der + [0x81], single.der + [1]] {
            let bad = try psbt.replacing(0x02, data: key, with: value, ofInput: 0)
            #expect(throws: BitcoinError.badSignature(input: 0), "\(hex(value))") { try bad.finalised() }
            #expect(SpendSummary(of: bad, for: signer.ownership).refusals == [.invalidSignature(input: 0)])
            let witness = [2, UInt8(value.count)] + value + [33] + key
            let final = try psbt.replacing(0x08, with: witness, ofInput: 0)
            #expect(throws: BitcoinError.badSignature(input: 0)) { try final.transaction() }
        }
        let good = der + [1]
        let witnesses: [[[UInt8]]] = [
            [good], [good, key, []], [key, good], [good, Secp256k1.Point.generator.encoded],
            [good, Array(key.dropFirst())],
        ]
        for elements in witnesses {
            let witness = elements.reduce([UInt8(elements.count)]) { $0 + [UInt8($1.count)] + $1 }
            let final = try psbt.replacing(0x08, with: witness, ofInput: 0)
            #expect(throws: BitcoinError.badSignature(input: 0)) { try final.transaction() }
        }
        let final = try psbt.replacing(0x08, with: [2, UInt8(good.count)] + good + [33] + key, ofInput: 0)
        #expect(throws: Never.self) { try final.transaction() }
        // A script signature changes the transaction, and no node accepts it.
        let scripted = try final.replacing(0x07, with: [0x51], ofInput: 0)
        #expect(throws: BitcoinError.badSignature(input: 0)) { try scripted.transaction() }
        // By another type, if that was requested, it is valid, though the wallet never makes it.
        let asked = try psbt.replacing(0x02, data: key, with: single.der + [3], ofInput: 0)
        #expect(throws: Never.self) { try asked.finalised() }
        let askedAll = try asked.replacing(0x03, with: [1, 0, 0, 0], ofInput: 0)
        #expect(throws: BitcoinError.badSignature(input: 0)) { try askedAll.finalised() }
    }

    @Test("a signature by a key to which the output is not locked does not count")
    func stranger() throws {
        let (signer, psbt, request, _, _) = try request()
        let stranger = Secp256k1.Point.generator.encoded
        let theirs = try ECDSASignature.sign(message: request.message, key: SecretScalar(.one))
        let noted = try psbt.replacing(0x02, data: stranger, with: theirs.der + [1], ofInput: 0)
        #expect(throws: BitcoinError.incomplete(input: 0)) { try noted.finalised() }
        #expect(SpendSummary(of: noted, for: signer.ownership).signingRequests == [request])
        #expect(throws: Never.self) { try signer.sign(noted).finalised().transaction() }
        // Nor in a witness, where it is valid under the key beside it.
        let value = theirs.der + [1]
        let final = try psbt.replacing(0x08, with: [2, UInt8(value.count)] + value + [33] + stranger, ofInput: 0)
        #expect(throws: BitcoinError.badSignature(input: 0)) { try final.transaction() }
    }
}
