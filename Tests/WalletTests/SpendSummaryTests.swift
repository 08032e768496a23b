import Curves
import TestSupport
import Testing

@testable import Wallet

@Suite("Spend summaries")
struct SpendSummaryTests {
    /// A payment, changed, as the wallet sees it.
    private func summary(
        scanning count: UInt32 = 3, _ change: (inout Draft, LoneSigner) throws -> Void = { _, _ in }
    ) throws -> SpendSummary {
        let signer = try LoneSigner(scanning: count)
        var draft = try Draft.payment(by: signer)
        try change(&draft, signer)
        return SpendSummary(of: try draft.psbt, for: signer.ownership)
    }

    @Test("a payment shows what is spent, paid, returned, and left as fee")
    func payment() throws {
        let signer = try LoneSigner()
        let psbt = try Draft.payment(by: signer).psbt
        let summary = SpendSummary(of: psbt, for: signer.ownership)
        #expect(summary.refusals.isEmpty && summary.warnings.isEmpty)
        #expect(summary.network == .regtest && summary.transaction == psbt.unsignedTransaction.id)
        #expect(summary.spent.satoshis == 100_000)
        #expect(summary.paid.satoshis == 60_000)
        #expect(summary.returned.satoshis == 39_000)
        #expect(summary.fee?.satoshis == 1_000)
        #expect(summary.inputs.map(\.path) == [try AddressPath(.receive, index: 0)])
        #expect(summary.outputs.map(\.path) == [nil, try AddressPath(.change, index: 0)])
        #expect(summary.outputs[0].address?.scriptPubKey == Draft.bob)
        #expect(summary.outputs[1].address == (try signer.account.address(at: AddressPath(.change, index: 0))))
        #expect(summary.inputs[0].address == (try signer.account.address(at: AddressPath(.receive, index: 0))))
        #expect(summary.signingRequests.map(\.input) == [0])
        #expect(summary.signingRequests.map(\.message.count) == [32])
        #expect(summary.lockTime == nil && !summary.isReplaceable)
        let rate = FeeRate(fee: try Amount(satoshis: 1_000), virtualSize: summary.virtualSize)
        #expect(summary.feeRate == rate)
    }

    @Test("each of several inputs of ours has its own message and key; others' have none")
    func inputs() throws {
        let signer = try LoneSigner()
        var draft = try Draft.payment(by: signer)
        draft.inputs.append((try signer.script(.change, 2), 5_000, 0xFFFF_FFFF))
        draft.inputs.append((Draft.bob, 7_000, 0xFFFF_FFFF))
        let psbt = try draft.psbt
        let summary = SpendSummary(of: psbt, for: signer.ownership)
        #expect(summary.signingRequests.map(\.input) == [0, 1])
        #expect(Set(summary.signingRequests.map(\.message)).count == 2)
        #expect(summary.signingRequests.map(\.key.path) == summary.inputs.prefix(2).map(\.path))
        #expect(summary.warnings.contains(.foreignInput(input: 2)))
        #expect(summary.warnings.contains(.unverifiedAmount(input: 2)))
        #expect(summary.spent.satoshis == 105_000 && summary.fee?.satoshis == 13_000)
        let signed = try signer.sign(psbt)
        let after = SpendSummary(of: signed, for: signer.ownership)
        #expect(after.refusals == [.nothingToSign])
        #expect(after.inputs.map(\.isSigned) == [true, true, false])
    }

    @Test("an amount that someone else lies about makes the signature void")
    func amounts() throws {
        let signer = try LoneSigner()
        var draft = try Draft.payment(by: signer)
        draft.inputs.append((Draft.bob, 7_000, 0xFFFF_FFFF))
        let told = SpendSummary(of: try draft.psbt, for: signer.ownership).signingRequests
        draft.inputs[1].satoshis = 8_000
        let truth = SpendSummary(of: try draft.psbt, for: signer.ownership).signingRequests
        #expect(told[0].message != truth[0].message)
    }

    // MARK: - Ownership

    @Test("an address beyond the scanned ones is found where the PSBT says, and pointed out")
    func claims() throws {
        let signer = try LoneSigner()
        let path = try AddressPath(.change, index: 70)
        let key = try signer.account.key(at: path)
        var draft = try Draft.payment(by: signer)
        draft.outputs[1].script = key.scriptPubKey
        let psbt = try draft.psbt
        #expect(SpendSummary(of: psbt, for: signer.ownership).outputs[1].path == nil)
        let claimed = try psbt.adding([0x07] + key.internalKey, derivation(signer.account, [1, 70]), toMap: 3)
        let summary = SpendSummary(of: claimed, for: signer.ownership)
        #expect(summary.outputs[1].path == path)
        #expect(summary.warnings == [.farIndex(output: 1, path: path)])
        #expect(summary.refusals.isEmpty)
    }

    @Test("an input beyond the scanned ones is signed for where the PSBT says")
    func inputClaim() throws {
        let signer = try LoneSigner()
        let key = try signer.account.key(at: AddressPath(.receive, index: 900))
        var draft = try Draft.payment(by: signer)
        draft.inputs[0].script = key.scriptPubKey
        let psbt = try draft.psbt
        #expect(SpendSummary(of: psbt, for: signer.ownership).refusals == [.noInputOfOurs])
        let claimed = try psbt.adding([0x16] + key.internalKey, derivation(signer.account, [0, 900]), toMap: 1)
        #expect(SpendSummary(of: claimed, for: signer.ownership).signingRequests.map(\.key) == [key])
    }

    @Test("change that is not at the path it claims is shown as a payment to others, with a warning")
    func falseChange() throws {
        let signer = try LoneSigner()
        let ours = try signer.account.key(at: AddressPath(.change, index: 0))
        let thief = try LoneSigner(secret: 1_234)
        let theirs = try thief.account.key(at: AddressPath(.change, index: 0))
        var draft = try Draft.payment(by: signer)
        draft.outputs[1].script = theirs.scriptPubKey
        let psbt = try draft.psbt
        let leaf = [UInt8](repeating: 5, count: 32)
        let origin = derivation(signer.account, [1, 0])
        // Their key under our fingerprint, our key, paths that we do not use, and a leaf of a script.
        for (key, value) in [
            (theirs.internalKey, origin), (ours.internalKey, origin),
            (theirs.internalKey, derivation(signer.account, [1, 500])),
            (ours.internalKey, derivation(signer.account, [2, 0])), (ours.internalKey, derivation(signer.account, [])),
            (ours.internalKey, derivation(signer.account, [1, 1 << 31])),
            (ours.internalKey, [1] + leaf + origin.dropFirst()),
        ] {
            let summary = SpendSummary(of: try psbt.adding([0x07] + key, value, toMap: 3), for: signer.ownership)
            #expect(summary.outputs[1].path == nil)
            #expect(summary.warnings == [.falseOutputClaim(output: 1)])
            #expect(summary.paid.satoshis == 99_000 && summary.returned == .zero)
        }
        // Under another fingerprint it is nobody's claim about us.
        let other = derivation(thief.account, [1, 0])
        let summary = SpendSummary(
            of: try psbt.adding([0x07] + theirs.internalKey, other, toMap: 3), for: signer.ownership)
        #expect(summary.warnings.isEmpty && summary.outputs[1].path == nil)
    }

    @Test("a claim about another path of ours does not hide whose output it is, and is pointed out")
    func wrongPath() throws {
        let signer = try LoneSigner()
        let psbt = try Draft.payment(by: signer).psbt
        let key = try signer.account.key(at: AddressPath(.change, index: 0))
        let claimed = try psbt.adding([0x07] + key.internalKey, derivation(signer.account, [1, 1]), toMap: 3)
        let summary = SpendSummary(of: claimed, for: signer.ownership)
        #expect(summary.outputs[1].path == (try AddressPath(.change, index: 0)))
        #expect(summary.warnings == [.falseOutputClaim(output: 1)])
    }

    @Test("nobody owns anything")
    func nobody() throws {
        let psbt = try Draft.payment(by: LoneSigner()).psbt
        let summary = SpendSummary(of: psbt, for: .nobody(on: .mainnet))
        #expect(summary.refusals == [.noInputOfOurs])
        #expect(summary.fee?.satoshis == 1_000)
        #expect(summary.outputs[0].address?.description.hasPrefix("bc1q") == true)
        #expect(summary.intentDigest.count == 32)
    }

    // MARK: - Refusals

    private func refused(
        _ expected: [Refusal], _ change: (inout Draft, LoneSigner) throws -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let summary = try summary(change)
        #expect(summary.refusals == expected, sourceLocation: sourceLocation)
        #expect(summary.signingRequests.isEmpty, sourceLocation: sourceLocation)
    }

    @Test("what cannot be a payment of ours is refused")
    func refusals() throws {
        try refused([.noInputOfOurs]) { draft, _ in draft.inputs[0].script = Draft.bob }
        try refused([.noOutputs]) { draft, _ in draft.outputs = [] }
        try refused([.outputsExceedInputs]) { draft, _ in draft.outputs[0].satoshis = 61_001 }
        try refused([.impossibleAmount]) { draft, _ in
            draft.inputs[0].satoshis = Amount.maximum.satoshis
            draft.inputs.append((draft.inputs[0].script, 1, 0xFFFF_FFFF))
        }
        let summary = try summary { draft, _ in draft.outputs[0].satoshis = 61_000 }
        #expect(summary.refusals.isEmpty && summary.fee == .zero)
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

    @Test("an input that does not show what it spends is refused, also if it is not ours")
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

    @Test("signatures that leave parts open are refused for our inputs, and pointed out for others'")
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

    @Test("an input of ours with fields of a script path, or with another internal key, is refused")
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

    @Test("an input that is falsely said to be ours is refused")
    func falseInput() throws {
        let signer = try LoneSigner()
        var draft = try Draft.payment(by: signer)
        draft.inputs.append((Draft.bob, 7_000, 0xFFFF_FFFF))
        let key = try signer.account.key(at: AddressPath(.receive, index: 1))
        let psbt = try draft.psbt.adding([0x16] + key.internalKey, derivation(signer.account, [0, 1]), toMap: 2)
        let summary = SpendSummary(of: psbt, for: signer.ownership)
        #expect(summary.refusals == [.falseInputClaim(input: 1)])
    }

    @Test("what is signed or final is not signed again, and a bad signature on our input is refused")
    func signed() throws {
        let signer = try LoneSigner()
        let psbt = try Draft.payment(by: signer).psbt
        let signed = try signer.sign(psbt)
        #expect(SpendSummary(of: signed, for: signer.ownership).refusals == [.nothingToSign])
        #expect(SpendSummary(of: try signed.finalised(), for: signer.ownership).refusals == [.nothingToSign])
        let bad = try psbt.adding([0x13], [UInt8](repeating: 1, count: 64), toMap: 1)
        #expect(SpendSummary(of: bad, for: signer.ownership).refusals == [.invalidSignature(input: 0)])
    }

    // MARK: - Warnings

    private func warned(
        _ expected: [SpendWarning], _ change: (inout Draft, LoneSigner) throws -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let summary = try summary(change)
        #expect(summary.warnings == expected, sourceLocation: sourceLocation)
        #expect(summary.refusals.isEmpty && summary.signingRequests.count == 1, sourceLocation: sourceLocation)
    }

    @Test("fees out of the ordinary are pointed out")
    func fees() throws {
        try warned([.highFeeShare(percent: 10)]) { draft, _ in draft.outputs[1].satoshis = 40_000 - 6_000 }
        try warned([]) { draft, _ in draft.outputs[1].satoshis = 40_000 - 5_999 }
        let rate = FeeRate(fee: try Amount(satoshis: 1), virtualSize: try summary().virtualSize)
        try warned([.lowFeeRate(rate)]) { draft, _ in draft.outputs[1].satoshis = 39_999 }
        let high = FeeRate(fee: try Amount(satoshis: 100_000), virtualSize: try summary().virtualSize)
        try warned([.highFeeRate(high)]) { draft, _ in
            draft.inputs[0].satoshis = 10_000_000
            draft.outputs = [(Draft.bob, 5_000_000), (draft.outputs[1].script, 4_900_000)]
        }
        // Everything goes to ourselves: the fee is measured by that.
        try warned([.highFeeShare(percent: 100)]) { draft, _ in
            draft.inputs[0].satoshis = 20_000
            draft.outputs = [(draft.outputs[1].script, 10_000)]
        }
    }

    @Test("outputs out of the ordinary are pointed out")
    func outputs() throws {
        try warned([.unknownScript(output: 0)]) { draft, _ in draft.outputs[0].script = ScriptPubKey([0x51]) }
        try warned([.dust(output: 1)]) { draft, _ in draft.outputs = [(Draft.bob, 99_000), (Draft.bob, 293)] }
        try warned([]) { draft, _ in draft.outputs = [(Draft.bob, 99_000), (Draft.bob, 294)] }
        try warned([.unspendable(output: 0)]) { draft, _ in draft.outputs[0].script = ScriptPubKey([0x6A, 1, 7]) }
        // No point has this x coordinate.
        let none = [UInt8](repeating: 0xFF, count: 32)
        try warned([.unspendable(output: 0)]) { draft, _ in
            draft.outputs[0].script = ScriptPubKey(.p2tr(outputKey: none))
        }
        try warned([]) { draft, _ in draft.outputs.append((ScriptPubKey([0x6A, 1, 7]), 0)) }
    }

    @Test("replaceability and locks are pointed out")
    func locks() throws {
        try warned([.replaceable]) { draft, _ in draft.inputs[0].sequence = 0xFFFF_FFFD }
        try warned([]) { draft, _ in draft.inputs[0].sequence = 0xFFFF_FFFE }
        try warned([.lockedUntil(.height(499_999_999))]) { draft, _ in
            draft.inputs[0].sequence = 0xFFFF_FFFE
            draft.lockTime = 499_999_999
        }
        try warned([.lockedUntil(.time(500_000_000))]) { draft, _ in
            draft.inputs[0].sequence = 0xFFFF_FFFE
            draft.lockTime = 500_000_000
        }
        // Switched off by the highest sequence number.
        try warned([]) { draft, _ in draft.lockTime = 800_000 }
        try warned([.relativeLock(input: 0), .replaceable]) { draft, _ in draft.inputs[0].sequence = 10 }
        try warned([.replaceable]) { draft, _ in
            draft.inputs[0].sequence = 10
            draft.version = 1
        }
    }

    @Test("fields of unknown kinds are pointed out")
    func unknown() throws {
        let signer = try LoneSigner()
        let psbt = try Draft.payment(by: signer).psbt.adding([0x77], [1], toMap: 1).adding(
            [0xFC, 1, 9, 0], [1], toMap: 0)
        #expect(SpendSummary(of: psbt, for: signer.ownership).warnings == [.unknownFields(count: 2)])
    }

    @Test("everything that is said to a person is said in words")
    func words() throws {
        let outPoint = try Draft.outPoint(0)
        let path = try AddressPath(.change, index: 7)
        let rate = FeeRate(satoshisPerKilobyte: 1_234)
        let refusals: [Refusal] = [
            .noInputOfOurs, .nothingToSign, .noOutputs, .duplicateInput(outPoint), .missingPreviousOutput(input: 1),
            .outputsExceedInputs, .impossibleAmount, .inconsistentInput(input: 1), .falseInputClaim(input: 1),
            .scriptPath(input: 1), .unsupportedSighash(input: 1), .invalidSignature(input: 1),
        ]
        let warnings: [SpendWarning] = [
            .highFeeShare(percent: 12), .highFeeRate(rate), .lowFeeRate(rate), .unknownScript(output: 1),
            .unspendable(output: 1),
            .dust(output: 1), .farIndex(output: 1, path: path), .falseOutputClaim(output: 1), .unknownFields(count: 2),
            .foreignInput(input: 1), .unverifiedAmount(input: 1), .unusualSighash(input: 1), .replaceable,
            .lockedUntil(.height(1)), .lockedUntil(.time(600_000_000)), .relativeLock(input: 1),
        ]
        let words = refusals.map(\.description) + warnings.map(\.description)
        #expect(Set(words).count == words.count)
        #expect(words.allSatisfy { $0.contains(" ") && $0.last != "." })
        #expect(rate.description == "1.234 sat/vB")
    }
}
