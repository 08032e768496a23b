import Encoding
import TestSupport
import Testing

@testable import Wallet

@Suite("PSBTs")
struct PSBTTests {
    private func payment() throws -> (LoneSigner, PSBT) {
        let signer = try LoneSigner()
        return (signer, try Draft.payment(by: signer).psbt)
    }

    // MARK: - Forms

    @Test("binary, Base64 and hexadecimal files are told apart, read and written", arguments: PSBTFormat.allCases)
    func formats(_ format: PSBTFormat) throws {
        let (_, psbt) = try payment()
        let file = psbt.file(as: format)
        #expect(PSBTFormat(of: file) == format)
        #expect(try PSBT(file) == psbt)
    }

    @Test("text may be wrapped, and may have blanks around it")
    func wrapped() throws {
        let (_, psbt) = try payment()
        for text in [psbt.base64, hex(psbt.encoded), hex(psbt.encoded).uppercased()] {
            let lines = stride(from: 0, to: text.count, by: 64).map { String(text.dropFirst($0).prefix(64)) }
            #expect(try PSBT(text: " \t" + lines.joined(separator: "\r\n") + "\n\n") == psbt)
        }
    }

    @Test("what is none of the three forms is refused")
    func noPSBT() throws {
        let (_, psbt) = try payment()
        let bytes = psbt.encoded
        for file in [
            [], [0], Array("psbt".utf8), Array("psbt".utf8) + [0xFE], Array(bytes.dropFirst()), Array("{}".utf8),
            psbt.unsignedTransaction.encoded, Array(psbt.base64.utf8.dropLast()), Array((psbt.base64 + "é").utf8),
            Array((psbt.base64 + psbt.base64).utf8), Array("c".utf8), Array("7".utf8), Array("   ".utf8), [0xFF, 0xFE],
            Array(hex(bytes).dropLast().utf8),
        ] { #expect(throws: WalletError.self) { try PSBT(file) } }
        #expect(throws: WalletError.malformed(.tooLong(limit: WalletLimits.psbtBytes))) {
            try PSBT(bytes + [UInt8](repeating: 0, count: WalletLimits.psbtBytes))
        }
        #expect(throws: WalletError.malformed(.tooLong(limit: WalletLimits.psbtBytes))) {
            try PSBT([UInt8](repeating: UInt8(ascii: "c"), count: 9 << 20))
        }
    }

    @Test("a shortened or lengthened PSBT is refused")
    func size() throws {
        let bytes = try payment().1.encoded
        for length in 0..<bytes.count {
            #expect(throws: WalletError.self) { try PSBT(decoding: Array(bytes.prefix(length))) }
        }
        // A byte, and a whole map more than there are inputs and outputs.
        #expect(throws: WalletError.malformed(.leftOver(count: 1))) { try PSBT(decoding: bytes + [0]) }
        #expect(throws: WalletError.malformed(.leftOver(count: 5))) { try PSBT(decoding: bytes + [1, 0x42, 1, 0, 0]) }
    }

    @Test("a size that is not in its shortest form is refused")
    func compactSizes() throws {
        let bytes = try payment().1.encoded
        // The first key: its size is 1, and its type 0.
        #expect(Array(bytes[5...6]) == [1, 0])
        let longSize = bytes[..<5] + [0xFD, 1, 0] + bytes[6...]
        let longType = bytes[..<5] + [3, 0xFD, 0, 0] + bytes[7...]
        #expect(throws: WalletError.malformed(.notCanonical)) { try PSBT(decoding: Array(longSize)) }
        #expect(throws: WalletError.malformed(.notCanonical)) { try PSBT(decoding: Array(longType)) }
    }

    @Test("a key that occurs twice in a map is refused, whatever its value", arguments: [0, 1, 2, 3])
    func duplicates(_ map: Int) throws {
        let bytes = try payment().1.encoded
        let once = bytes.adding([0x77, 1], [5], toMap: map)
        #expect(throws: Never.self) { try PSBT(decoding: once) }
        let names: [PSBTField.Map] = [.global, .input(0), .output(0), .output(1)]
        for value: [UInt8] in [[5], [6]] {
            #expect(throws: WalletError.duplicateKey(PSBTField(names[map], type: 0x77))) {
                try PSBT(decoding: once.adding([0x77, 1], value, toMap: map))
            }
        }
        #expect(throws: Never.self) { try PSBT(decoding: once.adding([0x77, 2], [5], toMap: map)) }
    }

    @Test("more entries than anyone needs are refused")
    func entries() throws {
        var bytes = try payment().1.encoded
        bytes.removeLast()
        for number in 0..<WalletLimits.psbtEntries {
            bytes += [4, 0x77, UInt8(number & 0xFF), UInt8(number >> 8 & 0xFF), UInt8(number >> 16), 0]
        }
        #expect(throws: WalletError.malformed(.tooLong(limit: WalletLimits.psbtEntries))) {
            try PSBT(decoding: bytes + [0])
        }
    }

    @Test("version 2, and its fields in a version 0, are refused")
    func version() throws {
        let (_, psbt) = try payment()
        #expect(throws: Never.self) { try psbt.adding([0xFB], [0, 0, 0, 0], toMap: 0) }
        #expect(throws: WalletError.unsupportedVersion(2)) { try psbt.adding([0xFB], [2, 0, 0, 0], toMap: 0) }
        #expect(throws: WalletError.unsupportedVersion(0x0100_0000)) {
            try psbt.adding([0xFB], [0, 0, 0, 1], toMap: 0)
        }
        for (type, map) in [(UInt8(0x02), 0), (0x06, 0), (0x0E, 1), (0x12, 1), (0x03, 2), (0x04, 3)] {
            #expect(throws: WalletError.self) { try psbt.adding([type], [1, 0, 0, 0], toMap: map) }
        }
    }

    @Test("there must be an unsigned transaction, and it must be unsigned")
    func transaction() throws {
        #expect(throws: WalletError.badField(PSBTField(.global, type: 0))) {
            try PSBT(decoding: Array("psbt".utf8) + [0xFF, 0])
        }
        var transaction = try Draft.payment(by: LoneSigner()).transaction
        transaction.inputs[0].scriptSig = [0x51]
        #expect(throws: WalletError.badTransaction) { try PSBT(transaction) }
        transaction.inputs[0].scriptSig = []
        transaction.inputs[0].witness = [[1]]
        #expect(throws: WalletError.badTransaction) { try PSBT(transaction) }
        transaction.inputs[0].witness = []
        let output = TransactionOutput(amount: .zero, scriptPubKey: ScriptPubKey([]))
        #expect(throws: WalletError.badTransaction) { try PSBT(transaction, previousOutputs: [output, output]) }
    }

    // MARK: - Fields

    /// Key, value, map, and whether it is right. Map 1 is the input, 2 an output.
    static let fields: [([UInt8], [UInt8], Int, Bool)] = {
        let x = hex("2f8bde4d1a07209355b4a7250a5c5128e88b84bddc619ab7cba8d569b240efe4")
        let sig = [UInt8](repeating: 7, count: 64)
        let origin: [UInt8] = [0, 1, 2, 3, 4, 9, 0, 0, 0]
        let leaf = [UInt8](repeating: 3, count: 32)
        return [
            ([0x13], sig, 1, true), ([0x13], sig + [1], 1, true), ([0x13], sig + [1, 1], 1, false),
            ([0x13], Array(sig.dropLast()), 1, false), ([0x13, 0], sig, 1, false),
            ([0x17], x, 1, true), ([0x17], [2] + x, 1, false), ([0x17, 0], x, 1, false),
            ([0x18], x, 1, true), ([0x18], Array(x.dropLast()), 1, false),
            ([0x16] + x, origin, 1, true), ([0x16, 2] + x, origin, 1, false), ([0x16] + x, origin + [0], 1, false),
            ([0x16] + x, [1] + leaf + origin.dropFirst(), 1, true),
            ([0x16] + x, [2] + leaf + origin.dropFirst(), 1, false),
            ([0x16] + x, [0, 1, 2, 3], 1, false), ([0x16] + x, [0, 1, 2, 3, 4], 1, true),
            ([0x16] + x, [0, 1, 2, 3, 4] + [UInt8](repeating: 0, count: 132), 1, false),
            ([0x03], [1, 0, 0, 0], 1, true), ([0x03], [1], 1, false), ([0x03, 0], [1, 0, 0, 0], 1, false),
            ([0x14] + x + x, sig, 1, true), ([0x14] + x, sig, 1, false), ([0x14] + x + x, [], 1, false),
            ([0x15, 0xC0] + x, [0x51, 0xC0], 1, true), ([0x15, 0xC0] + x + [0], [0x51, 0xC0], 1, false),
            ([0x15, 0xC0] + x, [], 1, false),
            ([0x02, 2] + x, [UInt8](repeating: 1, count: 71), 1, true),
            ([0x02, 4] + x, [UInt8](repeating: 1, count: 71), 1, false),
            ([0x02, 2] + x, [1], 1, false), ([0x06, 3] + x, [1, 2, 3, 4], 1, true),
            ([0x06, 3] + x, [1, 2, 3], 1, false),
            ([0x07], [], 1, false), ([0x08], [], 1, false), ([0x08], [0], 1, false), ([0x08], [1, 1, 9], 1, true),
            ([0x08], [1, 2, 9], 1, false), ([0x08], [1, 1, 9, 9], 1, false),
            ([0x0B] + [UInt8](repeating: 0, count: 32), [1, 2, 3], 1, false), ([0xFC], [], 1, false),
            ([0xFC, 1, 9, 0], [], 1, true),
            ([0x01, 0], [], 1, false), ([0x01], [1], 1, false),
            ([0x05], x, 2, true), ([0x05], [2] + x, 2, false), ([0x07] + x, origin, 2, true),
            ([0x07] + x, [1], 2, false),
            ([0x02, 2] + x, [1, 2, 3, 4], 2, true), ([0x02] + x, [1, 2, 3, 4], 2, false),
            ([0x06], [0, 0xC0, 1, 0x51], 2, true), ([0x06], [], 2, false), ([0x06], [1, 0xC0, 1, 0x51], 2, false),
            ([0x06], [1, 0xC0, 1, 0x51, 1, 0xC0, 1, 0x51], 2, true),
            ([0x06], [0, 0xC0, 1, 0x51, 0, 0xC0, 1, 0x51], 2, false),
            ([0x06], [0, 0xC1, 1, 0x51], 2, false), ([0x06], [129, 0xC0, 1, 0x51], 2, false),
            ([0x06], [2, 0xC0, 1, 0x51, 1, 0xC0, 1, 0x51], 2, false),
            ([0x01], [1, 2], 0, false), ([0xFB, 0], [0, 0, 0, 0], 0, false), ([0xFB], [0], 0, false),
        ]
    }()

    @Test("each field has the form that its standard prescribes", arguments: fields.indices)
    func field(_ number: Int) throws {
        let (key, value, map, isRight) = Self.fields[number]
        // No output is shown yet, so that the input can be given any.
        let psbt = try PSBT(Draft.payment(by: LoneSigner()).transaction)
        if isRight {
            let read = try psbt.adding(key, value, toMap: map)
            #expect(try PSBT(decoding: read.encoded) == read)
            #expect(read != psbt)
        } else {
            let name: PSBTField.Map = [.global, .input(0), .output(0)][map]
            #expect(throws: WalletError.badField(PSBTField(name, type: UInt64(key[0])))) {
                try psbt.adding(key, value, toMap: map)
            }
        }
    }

    @Test("fields of unknown types are kept, counted, and written back")
    func unknownFields() throws {
        let (_, psbt) = try payment()
        #expect(psbt.unknownFieldCount == 0)
        var extended = psbt
        for map in 0...3 { extended = try extended.adding([0x77, UInt8(map)], [1, 2, 3], toMap: map) }
        extended = try extended.adding([0xFC, 1, 9, 0], [1], toMap: 0)
        #expect(extended.unknownFieldCount == 5)
        #expect(try PSBT(decoding: extended.encoded) == extended)
    }

    // MARK: - Previous outputs

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

    @Test("a previous transaction proves what an input spends")
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

    @Test("a previous transaction that is not the one spent, or contradicts the output shown, is refused")
    func mismatch() throws {
        let (previous, psbt) = try withPrevious()
        let mismatch = WalletError.previousTransactionMismatch(input: 0)
        let changed = Transaction(version: 1, inputs: previous.inputs, outputs: previous.outputs, lockTime: 0)
        #expect(throws: mismatch) { try psbt.adding([0x00], changed.encoded, toMap: 1) }
        var other = ByteWriter()
        previous.outputs[0].write(to: &other)
        let read = try psbt.adding([0x00], previous.encoded, toMap: 1)
        #expect(throws: mismatch) { try read.adding([0x01], other.bytes, toMap: 1) }
        #expect(throws: WalletError.badField(PSBTField(.input(0), type: 0))) {
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
        #expect(throws: WalletError.conflict(PSBTField(.global, type: 0))) { try psbt.combined(with: draft.psbt) }
        let left = try psbt.adding([0x77], [1], toMap: 1)
        let right = try psbt.adding([0x77], [2], toMap: 1)
        #expect(throws: WalletError.conflict(PSBTField(.input(0), type: 0x77))) { try left.combined(with: right) }
        let both = try left.combined(with: psbt.adding([0x78], [2], toMap: 2))
        #expect(both.unknownFieldCount == 2)
        #expect(try left.combined(with: left) == left)
    }

    @Test("combining checks the previous transaction that the other one shows")
    func combinedMismatch() throws {
        let (previous, psbt) = try withPrevious()
        var other = ByteWriter()
        previous.outputs[0].write(to: &other)
        let lying = try psbt.adding([0x01], other.bytes, toMap: 1)
        let proving = try psbt.adding([0x00], previous.encoded, toMap: 1)
        #expect(throws: WalletError.previousTransactionMismatch(input: 0)) { try lying.combined(with: proving) }
        #expect(throws: WalletError.previousTransactionMismatch(input: 0)) { try proving.combined(with: lying) }
    }
}
