import BitcoinTestSupport
import Encoding
import TestSupport
import Testing

@testable import Bitcoin
@testable import HDKeys

@Suite("PSBT previous outputs and combining")
struct PSBTCombiningTests {
    private func payment() throws -> (LoneSigner, PSBT) {
        let signer = try LoneSigner()
        return (signer, try Draft.payment(by: signer).psbt)
    }

    /// A transaction whose output 1 pays 100,000 satoshi to our first address, and a PSBT that spends it.
    private func withPrevious() throws -> (previous: Transaction, psbt: PSBT) {
        let signer = try LoneSigner()
        let other = TransactionOutput(amount: try Amount(satoshis: 5), scriptPubKey: Draft.bob)
        let ours = TransactionOutput(
            amount: try Amount(satoshis: 100_000), scriptPubKey: try signer.script(.receive, 0))
        let previous = Transaction(
            version: 2, inputs: [TransactionInput(previousOutput: try Draft.outPoint(3), sequence: 0)],
            outputs: [other, ours], lockTime: 0)
        let input = TransactionInput(
            previousOutput: OutPoint(transaction: previous.id, index: 1), sequence: 0xFFFF_FFFF)
        let spending = Transaction(
            version: 2, inputs: [input], outputs: try Draft.payment(by: signer).transaction.outputs, lockTime: 0)
        return (previous, try PSBT(spending))
    }

    @Test("a previous transaction proves the amount and script of an input")
    func proven() throws {
        let (previous, psbt) = try withPrevious()
        #expect(psbt.inputs[0].previousOutput == nil)
        let read = try psbt.adding([0x00], previous.encoded, toMap: 1)
        #expect(read.inputs[0].previousOutput == previous.outputs[1])
        #expect(read.inputs[0].isProven)
        var writer = ByteWriter()
        previous.outputs[1].write(to: &writer)
        #expect(throws: Never.self) { try read.adding([0x01], writer.bytes, toMap: 1) }
    }

    @Test("a previous transaction of another input, or one that contradicts the shown output, is refused")
    func mismatch() throws {
        let (previous, psbt) = try withPrevious()
        let mismatch = BitcoinError.psbt(.previousTransactionMismatch(input: 0))
        let changed = Transaction(version: 1, inputs: previous.inputs, outputs: previous.outputs, lockTime: 0)
        #expect(throws: mismatch) { try psbt.adding([0x00], changed.encoded, toMap: 1) }
        var other = ByteWriter()
        previous.outputs[0].write(to: &other)
        let read = try psbt.adding([0x00], previous.encoded, toMap: 1)
        #expect(throws: mismatch) { try read.adding([0x01], other.bytes, toMap: 1) }
        #expect(throws: BitcoinError.psbt(.badField(PSBTField(.input(0), type: 0)))) {
            try psbt.adding([0x00], [1, 2], toMap: 1)
        }
        // An index that the previous transaction does not have.
        let input = TransactionInput(previousOutput: OutPoint(transaction: previous.id, index: 2), sequence: 0)
        let beyond = try PSBT(Transaction(version: 2, inputs: [input], outputs: previous.outputs, lockTime: 0))
        #expect(throws: mismatch) { try beyond.adding([0x00], previous.encoded, toMap: 1) }
    }

    // MARK: - Combining

    @Test("PSBTs of different transactions, or with different values for a key, are not combined")
    func conflicts() throws {
        let (signer, psbt) = try payment()
        var draft = try Draft.payment(by: signer)
        draft.outputs[0].satoshis += 1
        #expect(throws: BitcoinError.psbt(.conflict(PSBTField(.global, type: 0)))) {
            try psbt.combined(with: draft.psbt)
        }
        let left = try psbt.adding([0x77], [1], toMap: 1)
        let right = try psbt.adding([0x77], [2], toMap: 1)
        #expect(throws: BitcoinError.psbt(.conflict(PSBTField(.input(0), type: 0x77)))) {
            try left.combined(with: right)
        }
        let both = try left.combined(with: psbt.adding([0x78], [2], toMap: 2))
        #expect(both.unknownFieldCount == 2)
        #expect(try left.combined(with: left) == left)
    }

    @Test("combining checks the previous transactions of the other PSBT")
    func combinedMismatch() throws {
        let (previous, psbt) = try withPrevious()
        var other = ByteWriter()
        previous.outputs[0].write(to: &other)
        let lying = try psbt.adding([0x01], other.bytes, toMap: 1)
        let proving = try psbt.adding([0x00], previous.encoded, toMap: 1)
        #expect(throws: BitcoinError.psbt(.previousTransactionMismatch(input: 0))) { try lying.combined(with: proving) }
        #expect(throws: BitcoinError.psbt(.previousTransactionMismatch(input: 0))) { try proving.combined(with: lying) }
    }
}
