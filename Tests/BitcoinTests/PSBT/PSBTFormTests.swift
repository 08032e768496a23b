import BitcoinTestSupport
import Encoding
import TestSupport
import Testing

@testable import Bitcoin
@testable import HDKeys

@Suite("PSBT bytes")
struct PSBTFormTests {
    private func payment() throws -> (LoneSigner, PSBT) {
        let signer = try LoneSigner()
        return (signer, try Draft.payment(by: signer).psbt)
    }

    @Test("binary, Base64 and hexadecimal files are distinguished, read and written", arguments: PSBTFormat.allCases)
    func formats(_ format: PSBTFormat) throws {
        let (_, psbt) = try payment()
        let file = psbt.file(as: format)
        #expect(PSBTFormat(of: file) == format)
        #expect(try PSBT(file) == psbt)
    }

    @Test("text may be wrapped, and may be surrounded by blanks")
    func wrapped() throws {
        let (_, psbt) = try payment()
        for text in [psbt.base64, hex(psbt.encoded), hex(psbt.encoded).uppercased()] {
            let lines = stride(from: 0, to: text.count, by: 64).map { String(text.dropFirst($0).prefix(64)) }
            #expect(try PSBT(text: " \t" + lines.joined(separator: "\r\n") + "\n\n") == psbt)
        }
    }

    @Test("any other form is refused")
    func noPSBT() throws {
        let (_, psbt) = try payment()
        let bytes = psbt.encoded
        for file in [
            [], [0], Array("psbt".utf8), Array("psbt".utf8) + [0xFE], Array(bytes.dropFirst()), Array("{}".utf8),
            psbt.unsignedTransaction.encoded, Array(psbt.base64.utf8.dropLast()), Array((psbt.base64 + "é").utf8),
            Array((psbt.base64 + psbt.base64).utf8), Array("c".utf8), Array("7".utf8), Array("   ".utf8), [0xFF, 0xFE],
            Array(hex(bytes).dropLast().utf8),
        ] { #expect(throws: BitcoinError.self) { try PSBT(file) } }
        #expect(throws: BitcoinError.malformed(.tooLong(limit: BitcoinLimits.psbtBytes))) {
            try PSBT(bytes + [UInt8](repeating: 0, count: BitcoinLimits.psbtBytes))
        }
        // The text is refused before it is decoded: it is not hexadecimal.
        #expect(throws: BitcoinError.malformed(.tooLong(limit: BitcoinLimits.psbtBytes))) {
            try PSBT([UInt8(ascii: "7")] + [UInt8](repeating: UInt8(ascii: "z"), count: 9 << 20))
        }
        #expect(throws: BitcoinError.malformed(.unsupported)) { try PSBT(decoding: [0x71] + bytes.dropFirst()) }
    }

    @Test("a truncated or extended PSBT is refused")
    func size() throws {
        let bytes = try payment().1.encoded
        for length in 0..<bytes.count {
            #expect(throws: BitcoinError.self) { try PSBT(decoding: Array(bytes.prefix(length))) }
        }
        // An additional byte, and an additional map.
        #expect(throws: BitcoinError.malformed(.leftOver(count: 1))) { try PSBT(decoding: bytes + [0]) }
        #expect(throws: BitcoinError.malformed(.leftOver(count: 5))) { try PSBT(decoding: bytes + [1, 0x42, 1, 0, 0]) }
    }

    @Test("a size that is not in its shortest form is refused")
    func compactSizes() throws {
        let bytes = try payment().1.encoded
        // The first key: its size is 1, and its type 0.
        #expect(Array(bytes[5...6]) == [1, 0])
        let longSize = bytes[..<5] + [0xFD, 1, 0] + bytes[6...]
        let longType = bytes[..<5] + [3, 0xFD, 0, 0] + bytes[7...]
        #expect(throws: BitcoinError.malformed(.notCanonical)) { try PSBT(decoding: Array(longSize)) }
        #expect(throws: BitcoinError.malformed(.notCanonical)) { try PSBT(decoding: Array(longType)) }
    }

    @Test("a repeated key in a map is refused, whatever its value", arguments: [0, 1, 2, 3])
    func duplicates(_ map: Int) throws {
        let bytes = try payment().1.encoded
        let once = bytes.adding([0x77, 1], [5], toMap: map)
        #expect(throws: Never.self) { try PSBT(decoding: once) }
        let names: [PSBTField.Map] = [.global, .input(0), .output(0), .output(1)]
        for value: [UInt8] in [[5], [6]] {
            #expect(throws: BitcoinError.psbt(.duplicateKey(PSBTField(names[map], type: 0x77)))) {
                try PSBT(decoding: once.adding([0x77, 1], value, toMap: map))
            }
        }
        #expect(throws: Never.self) { try PSBT(decoding: once.adding([0x77, 2], [5], toMap: map)) }
    }

    @Test("more entries than the limit are refused")
    func entries() throws {
        var bytes = try payment().1.encoded
        bytes.removeLast()
        for number in 0..<BitcoinLimits.psbtEntries {
            bytes += [4, 0x77, UInt8(number & 0xFF), UInt8(number >> 8 & 0xFF), UInt8(number >> 16), 0]
        }
        #expect(throws: BitcoinError.malformed(.tooLong(limit: BitcoinLimits.psbtEntries))) {
            try PSBT(decoding: bytes + [0])
        }
    }

    @Test("a version that does not exist, and version 2 fields in version 0, are refused")
    func version() throws {
        let (_, psbt) = try payment()
        #expect(throws: Never.self) { try psbt.adding([0xFB], [0, 0, 0, 0], toMap: 0) }
        #expect(throws: BitcoinError.psbt(.unsupportedVersion(1))) { try psbt.adding([0xFB], [1, 0, 0, 0], toMap: 0) }
        #expect(throws: BitcoinError.psbt(.unsupportedVersion(0x0100_0000))) {
            try psbt.adding([0xFB], [0, 0, 0, 1], toMap: 0)
        }
        for (type, map) in [(UInt8(0x02), 0), (0x06, 0), (0x0E, 1), (0x12, 1), (0x03, 2), (0x04, 3)] {
            #expect(throws: BitcoinError.self) { try psbt.adding([type], [1, 0, 0, 0], toMap: map) }
        }
    }

    @Test("an unsigned transaction is required, without signatures")
    func transaction() throws {
        #expect(throws: BitcoinError.psbt(.badField(PSBTField(.global, type: 0)))) {
            try PSBT(decoding: Array("psbt".utf8) + [0xFF, 0])
        }
        var transaction = try Draft.payment(by: LoneSigner()).transaction
        transaction.inputs[0].scriptSig = [0x51]
        #expect(throws: BitcoinError.badTransaction) { try PSBT(transaction) }
        transaction.inputs[0].scriptSig = []
        transaction.inputs[0].witness = [[1]]
        #expect(throws: BitcoinError.badTransaction) { try PSBT(transaction) }
        transaction.inputs[0].witness = []
        let output = TransactionOutput(amount: .zero, scriptPubKey: ScriptPubKey([]))
        #expect(throws: BitcoinError.badTransaction) { try PSBT(transaction, previousOutputs: [output, output]) }
        let draft = try Draft.payment(by: LoneSigner())
        let (proven, previous) = (try draft.provenPSBT.unsignedTransaction, try draft.previousTransactions)
        #expect(throws: BitcoinError.badTransaction) { try PSBT(proven, previousTransactions: []) }
        #expect(throws: BitcoinError.badTransaction) { try PSBT(proven, previousTransactions: previous + previous) }
        #expect(throws: BitcoinError.psbt(.previousTransactionMismatch(input: 0))) {
            try PSBT(draft.transaction, previousTransactions: previous)
        }
    }
}
