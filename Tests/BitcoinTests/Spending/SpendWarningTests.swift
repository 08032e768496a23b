import BitcoinTestSupport
import Testing

@testable import Bitcoin
@testable import HDKeys

@Suite("Warnings")
struct SpendWarningTests {
    private func warned(
        _ expected: [SpendWarning], _ change: (inout Draft, LoneSigner) throws -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let summary = try paymentSummary(change)
        #expect(summary.warnings == expected, sourceLocation: sourceLocation)
        #expect(summary.refusals.isEmpty && summary.signingRequests.count == 1, sourceLocation: sourceLocation)
    }

    @Test("unusual fees are reported")
    func fees() throws {
        try warned([.highFeeShare(percent: 10)]) { draft, _ in draft.outputs[1].satoshis = 40_000 - 6_000 }
        try warned([]) { draft, _ in draft.outputs[1].satoshis = 40_000 - 5_999 }
        let rate = FeeRate(fee: try Amount(satoshis: 1), virtualSize: try paymentSummary().virtualSize)
        try warned([.lowFeeRate(rate)]) { draft, _ in draft.outputs[1].satoshis = 39_999 }
        let high = FeeRate(fee: try Amount(satoshis: 100_000), virtualSize: try paymentSummary().virtualSize)
        try warned([.highFeeRate(high)]) { draft, _ in
            draft.inputs[0].satoshis = 10_000_000
            draft.outputs = [(Draft.bob, 5_000_000), (draft.outputs[1].script, 4_900_000)]
        }
        // All outputs are own: the fee is compared with their sum.
        try warned([.highFeeShare(percent: 100)]) { draft, _ in
            draft.inputs[0].satoshis = 20_000
            draft.outputs = [(draft.outputs[1].script, 10_000)]
        }
    }

    @Test("unusual outputs are reported")
    func outputs() throws {
        try warned([.unknownScript(output: 0)]) { draft, _ in draft.outputs[0].script = ScriptPubKey([0x51]) }
        try warned([.dust(output: 1)]) { draft, _ in draft.outputs = [(Draft.bob, 99_000), (Draft.bob, 293)] }
        try warned([]) { draft, _ in draft.outputs = [(Draft.bob, 99_000), (Draft.bob, 294)] }
        try warned([.data(output: 0), .unspendable(output: 0)]) { draft, _ in
            draft.outputs[0].script = ScriptPubKey([0x6A, 1, 7])
        }
        // No point has this x-coordinate.
        let none = [UInt8](repeating: 0xFF, count: 32)
        try warned([.unspendable(output: 0)]) { draft, _ in
            draft.outputs[0].script = ScriptPubKey(.p2tr(outputKey: none))
        }
        try warned([.data(output: 2)]) { draft, _ in draft.outputs.append((ScriptPubKey([0x6A, 1, 7]), 0)) }
    }

    @Test("replaceability and locks are reported")
    func locks() throws {
        try warned([.replaceable]) { draft, _ in draft.inputs[0].sequence = 0xFFFF_FFFD }
        try warned([]) { draft, _ in draft.inputs[0].sequence = 0xFFFF_FFFE }
        #expect("\(SpendWarning.lockedUntil(.height(102)))" == "it cannot be mined before block 103")
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

    @Test("fields of unknown kinds are reported")
    func unknown() throws {
        let signer = try LoneSigner()
        let psbt = try Draft.payment(by: signer).psbt.adding([0x77], [1], toMap: 1).adding(
            [0xFC, 1, 9, 0], [1], toMap: 0)
        #expect(SpendSummary(of: psbt, for: signer.ownership).warnings == [.unknownFields(count: 2)])
    }
}
