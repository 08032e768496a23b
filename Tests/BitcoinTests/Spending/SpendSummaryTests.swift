import BitcoinTestSupport
import TestSupport
import Testing

@testable import Bitcoin
@testable import HDKeys

@Suite("Spend summaries")
struct SpendSummaryTests {
    @Test("a payment shows the spent, paid and returned amounts, and the fee")
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

    @Test("each own input has its own message and key; foreign inputs have none")
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

    @Test("a false amount of a foreign input makes the signature void")
    func amounts() throws {
        let signer = try LoneSigner()
        var draft = try Draft.payment(by: signer)
        draft.inputs.append((Draft.bob, 7_000, 0xFFFF_FFFF))
        let told = SpendSummary(of: try draft.psbt, for: signer.ownership).signingRequests
        draft.inputs[1].satoshis = 8_000
        let truth = SpendSummary(of: try draft.psbt, for: signer.ownership).signingRequests
        #expect(told[0].message != truth[0].message)
    }

    @Test("every finding and refusal has a text")
    func words() throws {
        let outPoint = try Draft.outPoint(0)
        let path = try AddressPath(.change, index: 7)
        let rate = FeeRate(satoshisPerKilobyte: 1_234)
        let refusals: [Refusal] = [
            .noInputOfOurs, .nothingToSign, .noOutputs, .duplicateInput(outPoint), .missingPreviousOutput(input: 1),
            .outputsExceedInputs, .impossibleAmount, .inconsistentInput(input: 1), .falseInputClaim(input: 1),
            .falseOutputClaim(output: 1), .unprovenAmount(input: 1),
            .scriptPath(input: 1), .unsupportedSighash(input: 1), .invalidSignature(input: 1),
            .worthlessInput(input: 1), .tooManyInputs(limit: 1), .tooMuchData(limit: 1),
        ]
        let warnings: [SpendWarning] = [
            .highFeeShare(percent: 12), .highFeeRate(rate), .lowFeeRate(rate), .unknownScript(output: 1),
            .unspendable(output: 1),
            .dust(output: 1), .farIndex(output: 1, path: path), .highIndex(output: 1, path: path), .data(output: 1),
            .unknownFields(count: 2),
            .foreignInput(input: 1), .unverifiedAmount(input: 1), .unusualSighash(input: 1), .replaceable,
            .lockedUntil(.height(1)), .lockedUntil(.time(600_000_000)), .relativeLock(input: 1),
        ]
        let words = refusals.map(\.description) + warnings.map(\.description)
        #expect(Set(words).count == words.count)
        #expect(words.allSatisfy { $0.contains(" ") && $0.last != "." })
        #expect(rate.description == "1.234 sat/vB")
    }
}
