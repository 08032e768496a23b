import BitcoinTestSupport
import TestSupport
import Testing

@testable import Bitcoin
@testable import HDKeys

@Suite("Refusals")
struct RefusalTests {
    private func refused(
        _ expected: [Refusal], _ change: (inout Draft, LoneSigner) throws -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let summary = try paymentSummary(change)
        #expect(summary.refusals == expected, sourceLocation: sourceLocation)
        #expect(summary.signingRequests.isEmpty, sourceLocation: sourceLocation)
    }

    @Test("a transaction that cannot be a payment of the wallet is refused")
    func refusals() throws {
        try refused([.noInputOfOurs]) { draft, _ in draft.inputs[0].script = Draft.bob }
        try refused([.noOutputs]) { draft, _ in draft.outputs = [] }
        try refused([.outputsExceedInputs]) { draft, _ in draft.outputs[0].satoshis = 61_001 }
        try refused([.impossibleAmount]) { draft, _ in
            draft.inputs[0].satoshis = Amount.maximum.satoshis
            draft.inputs.append((draft.inputs[0].script, 1, 0xFFFF_FFFF))
        }
        let summary = try paymentSummary { draft, _ in draft.outputs[0].satoshis = 61_000 }
        #expect(summary.refusals.isEmpty && summary.fee == .zero)
    }

    @Test("more own inputs than the limit are refused, and the limit itself is not")
    func tooMany() throws {
        func summary(inputs count: Int) throws -> SpendSummary {
            let signer = try LoneSigner()
            var draft = try Draft.payment(by: signer)
            draft.inputs = (0..<count).map { _ in draft.inputs[0] }
            draft.outputs[0].satoshis = 60_000
            return SpendSummary(of: try draft.psbt, for: signer.ownership)
        }
        let most = BitcoinLimits.ownInputs
        #expect(try summary(inputs: most).signingRequests.count == most)
        let refused = try summary(inputs: most + 1)
        #expect(refused.refusals == [.tooManyInputs(limit: most)])
        #expect(refused.signingRequests.isEmpty)
    }

    @Test("an output that is spent twice is refused")
    func duplicate() throws {
        let signer = try LoneSigner()
        let draft = try Draft.payment(by: signer)
        let once = try draft.transaction
        let twice = Transaction(version: 2, inputs: once.inputs + once.inputs, outputs: once.outputs, lockTime: 0)
        let psbt = try PSBT(twice, previousOutputs: draft.previousOutputs + draft.previousOutputs)
        let summary = SpendSummary(of: psbt, for: signer.ownership)
        #expect(summary.refusals == [.duplicateInput(once.inputs[0].previousOutput)])
        #expect(summary.signingRequests.isEmpty)
    }

    @Test("an input that does not show its output is refused, even if it is not own")
    func unshown() throws {
        let signer = try LoneSigner()
        var draft = try Draft.payment(by: signer)
        draft.inputs.append((Draft.bob, 7_000, 0xFFFF_FFFF))
        let psbt = try PSBT(draft.transaction)
        var writer = [UInt8](repeating: 0, count: 0)
        let ours = try draft.previousOutputs[0]
        writer += (0..<8).map { UInt8(truncatingIfNeeded: ours.amount.satoshis >> UInt64(8 * $0)) }
        writer += [UInt8(ours.scriptPubKey.bytes.count)] + ours.scriptPubKey.bytes
        let summary = SpendSummary(of: try psbt.adding([0x01], writer, toMap: 1), for: signer.ownership)
        #expect(summary.refusals == [.missingPreviousOutput(input: 1)])
        #expect(summary.fee == nil && summary.feeRate == nil && summary.signingRequests.isEmpty)
    }

    @Test("signature types that leave parts open are refused for own inputs, and reported for others")
    func sighashTypes() throws {
        let signer = try LoneSigner()
        var draft = try Draft.payment(by: signer)
        draft.inputs.append((Draft.bob, 7_000, 0xFFFF_FFFF))
        let psbt = try draft.psbt
        for type: [UInt8] in [
            [2, 0, 0, 0], [3, 0, 0, 0], [0x81, 0, 0, 0], [0x83, 0, 0, 0], [4, 0, 0, 0], [1, 1, 0, 0], [1, 0, 0, 1],
        ] {
            let ours = SpendSummary(of: try psbt.adding([0x03], type, toMap: 1), for: signer.ownership)
            #expect(ours.refusals == [.unsupportedSighash(input: 0)])
            #expect(ours.signingRequests.isEmpty && ours.warnings.contains(.unusualSighash(input: 0)))
            let theirs = SpendSummary(of: try psbt.adding([0x03], type, toMap: 2), for: signer.ownership)
            #expect(theirs.refusals.isEmpty && theirs.warnings.contains(.unusualSighash(input: 1)))
        }
        for type: [UInt8] in [[0, 0, 0, 0], [1, 0, 0, 0]] {
            let summary = SpendSummary(of: try psbt.adding([0x03], type, toMap: 1), for: signer.ownership)
            #expect(summary.refusals.isEmpty && summary.signingRequests.map(\.sighashType.rawValue) == [type[0]])
        }
    }

    @Test("an own input with script path fields, or with another internal key, is refused")
    func scriptPath() throws {
        let signer = try LoneSigner()
        let psbt = try Draft.payment(by: signer).psbt
        let key = try signer.account.key(at: AddressPath(.receive, index: 0))
        let x = key.internalKey
        let leaf = [UInt8](repeating: 5, count: 32)
        for (field, value) in [
            ([0x18], x), ([0x15, 0xC0] + x, [0x51, 0xC0]), ([0x14] + x + x, [UInt8](repeating: 1, count: 64)),
            ([0x16] + x, [1] + leaf + [9, 9, 9, 9]),
        ] as [([UInt8], [UInt8])] {
            let summary = SpendSummary(of: try psbt.adding(field, value, toMap: 1), for: signer.ownership)
            #expect(summary.refusals == [.scriptPath(input: 0)])
            #expect(summary.signingRequests.isEmpty)
        }
        let right = SpendSummary(of: try psbt.adding([0x17], x, toMap: 1), for: signer.ownership)
        #expect(right.refusals.isEmpty)
        let wrong = SpendSummary(of: try psbt.adding([0x17], key.outputKey, toMap: 1), for: signer.ownership)
        #expect(wrong.refusals == [.inconsistentInput(input: 0)])
        for type: UInt8 in [0x04, 0x05] {
            let script = SpendSummary(of: try psbt.adding([type], [0x51], toMap: 1), for: signer.ownership)
            #expect(script.refusals == [.inconsistentInput(input: 0)])
        }
    }

    @Test("an input that is falsely claimed as own is refused")
    func falseInput() throws {
        let signer = try LoneSigner()
        var draft = try Draft.payment(by: signer)
        draft.inputs.append((Draft.bob, 7_000, 0xFFFF_FFFF))
        let key = try signer.account.key(at: AddressPath(.receive, index: 1))
        let psbt = try draft.psbt.adding([0x16] + key.internalKey, derivation(signer.account, [0, 1]), toMap: 2)
        let summary = SpendSummary(of: psbt, for: signer.ownership)
        #expect(summary.refusals == [.falseInputClaim(input: 1)])
    }

    @Test("a signed or final PSBT is not signed again, and a bad signature on an own input is refused")
    func signed() throws {
        let signer = try LoneSigner()
        let psbt = try Draft.payment(by: signer).psbt
        let signed = try signer.sign(psbt)
        #expect(SpendSummary(of: signed, for: signer.ownership).refusals == [.nothingToSign])
        #expect(SpendSummary(of: try signed.finalised(), for: signer.ownership).refusals == [.nothingToSign])
        let bad = try psbt.adding([0x13], [UInt8](repeating: 1, count: 64), toMap: 1)
        #expect(SpendSummary(of: bad, for: signer.ownership).refusals == [.invalidSignature(input: 0)])
    }
}
