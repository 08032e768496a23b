import BitcoinTestSupport
import Curves
import TestSupport
import Testing

@testable import Bitcoin
@testable import HDKeys

@Suite("Refusals about P2WPKH")
struct SegwitRefusalTests {
    private func summary(_ psbt: PSBT, _ signer: LoneSigner) -> SpendSummary {
        SpendSummary(of: psbt, for: signer.ownership)
    }

    /// An input's output, without the transaction that made it.
    private func unproven(_ psbt: PSBT, _ index: Int, satoshis: UInt64? = nil) throws -> PSBT {
        let output = try #require(psbt.inputs[index].previousOutput)
        let amount = satoshis ?? output.amount.satoshis
        let value =
            (0..<8).map { UInt8(truncatingIfNeeded: amount >> UInt64(8 * $0)) }
            + [UInt8(output.scriptPubKey.bytes.count)] + output.scriptPubKey.bytes
        return try psbt.replacing(0x00, with: nil, ofInput: index).replacing(0x01, with: value, ofInput: index)
    }

    @Test("the fee attack: two PSBTs of one transaction, each with one false amount, are both refused")
    func feeAttack() throws {
        let signer = try LoneSigner.withBothKeys()
        var draft = try Draft.segwitPayment(by: signer)
        let second = try signer.segwit.key(at: AddressPath(.receive, index: 1)).scriptPubKey
        draft.inputs.append((second, 100_000, 0xFFFF_FFFF))
        let psbt = try draft.provenPSBT
        #expect(summary(psbt, signer).fee?.satoshis == 101_000)
        // Each shows a fee of 1,001 and has a true amount for the one input to be signed.
        for (lie, truth) in [(0, 1), (1, 0)] {
            let lying = try unproven(psbt, lie, satoshis: 1)
            let shown = summary(lying, signer)
            #expect(shown.fee?.satoshis == 1_001)
            #expect(shown.refusals == [.unprovenAmount(input: lie)] && shown.signingRequests.isEmpty)
            // The hash to sign for the other input equals the true one: signing would have been fatal.
            let hash = try SegwitSighash(lying.unsignedTransaction, spending: lying.previousOutputs())
            let whole = try SegwitSighash(psbt.unsignedTransaction, spending: psbt.previousOutputs())
            #expect(try hash.hash(input: truth, type: .all) == whole.hash(input: truth, type: .all))
        }
    }

    @Test("with an own P2WPKH input, every input has to show its previous transaction, even a foreign one")
    func proofs() throws {
        let signer = try LoneSigner.withBothKeys()
        var draft = try Draft.mixedPayment(by: signer)
        draft.inputs.append((Draft.bob, 5_000, 0xFFFF_FFFF))
        let psbt = try draft.provenPSBT
        #expect(summary(psbt, signer).refusals.isEmpty)
        for index in 0..<3 {
            let one = summary(try unproven(psbt, index), signer)
            #expect(one.refusals == [.unprovenAmount(input: index)] && one.signingRequests.isEmpty)
        }
        let none = try (0..<3).reduce(psbt) { try unproven($0, $1) }
        #expect(summary(none, signer).refusals == (0..<3).map { .unprovenAmount(input: $0) })
        // Most software writes both.
        let both = try (0..<3).reduce(psbt) { psbt, index in
            try psbt.replacing(
                0x00, with: draft.previousTransactions[index].encoded, ofInput: index
            ).replacing(0x01, with: unproven(psbt, index).inputs[index].map[0x01], ofInput: index)
        }
        #expect(summary(both, signer).refusals.isEmpty)
        // A signature is not a proof: it may come from another false PSBT.
        let signed = try unproven(signer.sign(psbt), 2)
        #expect(summary(signed, signer).refusals == [.unprovenAmount(input: 2), .nothingToSign])
    }

    @Test("a P2TR input covers all amounts: without own P2WPKH inputs no proof is required")
    func taprootAlone() throws {
        let signer = try LoneSigner.withBothKeys()
        var draft = try Draft.payment(by: signer)
        draft.inputs.append((Draft.bob, 7_000, 0xFFFF_FFFF))
        let shown = summary(try draft.psbt, signer)
        #expect(shown.refusals.isEmpty && shown.warnings.contains(.unverifiedAmount(input: 1)))
    }

    @Test("an input without data is refused as such, and a wallet without ECDSA key owns no P2WPKH")
    func nothing() throws {
        let signer = try LoneSigner.withBothKeys()
        let psbt = try Draft.mixedPayment(by: signer).provenPSBT
        let unshown = try psbt.replacing(0x00, with: nil, ofInput: 1)
        #expect(summary(unshown, signer).refusals == [.missingPreviousOutput(input: 1)])
        let schnorrOnly = SpendSummary(of: psbt, for: try LoneSigner().ownership)
        #expect(schnorrOnly.inputs.map { $0.path != nil } == [false, true])
        #expect(schnorrOnly.outputs.map { $0.path != nil } == [false, false, true])
        #expect(schnorrOnly.signingRequests.map(\.input) == [1])
    }

    @Test("signatures that leave parts open, and the type that only taproot has, are refused")
    func sighashTypes() throws {
        let signer = try LoneSigner.withBothKeys()
        let psbt = try Draft.segwitPayment(by: signer).provenPSBT
        for type: [UInt8] in [
            [0, 0, 0, 0], [2, 0, 0, 0], [3, 0, 0, 0], [0x81, 0, 0, 0], [0x82, 0, 0, 0], [0x83, 0, 0, 0], [4, 0, 0, 0],
            [1, 1, 0, 0], [1, 0, 0, 1],
        ] {
            let shown = summary(try psbt.replacing(0x03, with: type, ofInput: 0), signer)
            #expect(shown.refusals == [.unsupportedSighash(input: 0)] && shown.signingRequests.isEmpty)
        }
        let all = summary(try psbt.replacing(0x03, with: [1, 0, 0, 0], ofInput: 0), signer)
        #expect(all.refusals.isEmpty && all.signingRequests.map(\.sighashType) == [.all])
    }

    @Test("an own input with scripts, or with P2TR fields, is refused")
    func otherFields() throws {
        let signer = try LoneSigner.withBothKeys()
        let psbt = try Draft.segwitPayment(by: signer).provenPSBT
        let x = signer.account.key.point.xOnly
        let long = [UInt8](repeating: 1, count: 64)
        for (type, data, value) in [
            (0x04, [], [0x51]), (0x05, [], [0x51]), (0x13, [], long), (0x17, [], x), (0x18, [], x),
            (0x15, [0xC0] + x, [0x51, 0xC0]), (0x14, x + x, long),
            (0x16, x, [1] + x + [9, 9, 9, 9]),
        ] as [(UInt64, [UInt8], [UInt8])] {
            let shown = summary(try psbt.replacing(type, data: data, with: value, ofInput: 0), signer)
            #expect(shown.refusals == [.inconsistentInput(input: 0)], "\(type)")
            #expect(shown.signingRequests.isEmpty)
        }
    }
}
