import BitcoinTestSupport
import TestSupport
import Testing

@testable import Bitcoin
@testable import HDKeys

@Suite("PSBT vectors", .withVectors)
struct PSBTVectorTests {
    /// The PSBTs between two sentences of a BIP, each in hexadecimal and then in Base64.
    private static func pairs(of bip: String, from start: String, to end: String) throws -> [(String, String)] {
        let texts = try blocks(of: bip, from: start, to: end)
        #expect(texts.count.isMultiple(of: 2) && !texts.isEmpty)
        return stride(from: 0, to: texts.count - 1, by: 2).map { (texts[$0], texts[$0 + 1]) }
    }

    @Test(
        "what the standards call invalid is refused, in hexadecimal and in Base64",
        arguments: [
            ("0174", "The following are invalid PSBTs:", "The following are valid PSBTs:", 20),
            ("0371", "The following are invalid PSBTs:", "The following are valid PSBTs:", 11),
            ("0370", "The following are invalid PSBTs:", "The following are valid PSBTs", 24),
            ("0370", "The timelock for the following PSBTs cannot be computed:", "==Rationale==", 1),
        ])
    func invalid(_ bip: String, _ start: String, _ end: String, _ count: Int) throws {
        let pairs = try Self.pairs(of: bip, from: start, to: end)
        #expect(pairs.count == count)
        for (number, pair) in pairs.enumerated() {
            #expect(throws: BitcoinError.self, "number \(number)") { try PSBT(text: pair.0) }
            #expect(throws: BitcoinError.self, "number \(number)") { try PSBT(text: pair.1) }
        }
    }

    @Test(
        "what the standards call valid is read, and written with the same content",
        arguments: [
            ("0174", "The following are valid PSBTs:", "Fails Signer checks", 10),
            ("0371", "The following are valid PSBTs:", "==Rationale==", 6),
        ])
    func valid(_ bip: String, _ start: String, _ end: String, _ count: Int) throws {
        let pairs = try Self.pairs(of: bip, from: start, to: end)
        #expect(pairs.count == count)
        for (number, pair) in pairs.enumerated() {
            let psbt = try PSBT(text: pair.0)
            #expect(try PSBT(text: pair.1) == psbt, "number \(number)")
            #expect(try PSBT(decoding: psbt.encoded) == psbt, "number \(number)")
            #expect(psbt.encoded.count == pair.0.utf8.count / 2, "number \(number)")
            #expect(!psbt.inputs.contains { !$0.isConsistent }, "number \(number)")
        }
    }

    @Test("version 2 is read as the equivalent version 0, and refused with the name of the error")
    func versionTwo() throws {
        let valid = try Self.pairs(
            of: "0370", from: "The following are valid PSBTs", to: "The following tests are the timelock")
        #expect(valid.count == 14)
        let plain = try PSBT(text: valid[0].0)
        for (number, pair) in valid.enumerated() {
            let psbt = try PSBT(text: pair.0)
            #expect(try PSBT(text: pair.1) == psbt, "number \(number)")
            // Written as version 0, without version 2 fields.
            #expect(try PSBT(decoding: psbt.encoded) == psbt && psbt.unknownFieldCount == 0, "number \(number)")
            #expect(psbt.unsignedTransaction.version == 2 && psbt.inputs.count == 1 && psbt.outputs.count == 2)
            #expect(psbt.unsignedTransaction.outputs == plain.unsignedTransaction.outputs)
        }
        #expect(plain.unsignedTransaction.inputs.map(\.sequence) == [.max] && plain.unsignedTransaction.lockTime == 0)
        let whole = try PSBT(text: valid[3].0).unsignedTransaction
        #expect(whole.inputs.map(\.sequence) == [0xFFFF_FFFE] && whole.lockTime == 10_000)

        let names: [BitcoinError] =
            [.psbt(.badField(PSBTField(.global, type: 0x00)))]
            + (0x02...0x06).map { .psbt(.badField(PSBTField(.global, type: $0))) }
            + (0x0E...0x12).map { .psbt(.badField(PSBTField(.input(0), type: $0))) }
            + (0x03...0x04).map { .psbt(.badField(PSBTField(.output(0), type: $0))) }
            + [.psbt(.badField(PSBTField(.global, type: 0x00)))]
            + [0x04, 0x05, 0x02].map { .psbt(.missingField(PSBTField(.global, type: $0))) }
            + [0x0E, 0x0F].map { .psbt(.missingField(PSBTField(.input(0), type: $0))) }
            + [0x03, 0x04].map { .psbt(.missingField(PSBTField(.output(0), type: $0))) }
            + [0x11, 0x12, 0x12].map { .psbt(.badField(PSBTField(.input(0), type: $0))) }
        let invalid = try Self.pairs(
            of: "0370", from: "The following are invalid PSBTs:", to: "The following are valid PSBTs")
        #expect(invalid.count == names.count)
        for (number, (pair, name)) in zip(invalid, names).enumerated() {
            #expect(throws: name, "number \(number)") { try PSBT(text: pair.0) }
        }
    }

    @Test(
        "the lock time is of the kind that all inputs accept, and the highest",
        arguments: [
            ("computed to be 0:", "The timelock for the following PSBTs should be computed to be 10000:", 2, UInt32(0)),
            ("computed to be 10000:", "The timelock for the following PSBTs should be computed to be 1657", 4, 10_000),
            (
                "computed to be 1657048460:", "The timelock for the following PSBTs cannot be", 3, 1_657_048_460
            ),
        ])
    func lockTimes(_ start: String, _ end: String, _ count: Int, _ lockTime: UInt32) throws {
        let pairs = try Self.pairs(of: "0370", from: start, to: end)
        #expect(pairs.count == count)
        for pair in pairs {
            #expect(try PSBT(text: pair.0).unsignedTransaction.lockTime == lockTime)
            #expect(try PSBT(text: pair.1) == PSBT(text: pair.0))
        }
        let conflict = try Self.pairs(
            of: "0370", from: "The timelock for the following PSBTs cannot be computed:", to: "==Rationale==")
        #expect(throws: BitcoinError.psbt(.conflictingLockTimes)) { try PSBT(text: conflict[0].0) }
    }

    @Test("a PSBT that a signer must not sign contradicts itself")
    func signerChecks() throws {
        let pairs = try Self.pairs(
            of: "0174", from: "Fails Signer checks", to: "The private keys in the tests below")
        #expect(pairs.count == 4)
        for (number, pair) in pairs.enumerated() {
            let psbt = try PSBT(text: pair.0)
            #expect(psbt.inputs.contains { !$0.isConsistent }, "number \(number)")
            let summary = SpendSummary(of: psbt, for: try LoneSigner().ownership)
            #expect(summary.refusals.contains { if case .inconsistentInput = $0 { true } else { false } })
        }
    }

    @Test("two signers' PSBTs are combined, and a final one gives the standard's transaction")
    func combineAndExtract() throws {
        let texts = try blocks(of: "0174", from: "must create this PSBT:", to: "Given these two PSBTs")
        // Created, two previous transactions, updated, with types, two signers, combined, final, and the transaction.
        #expect(texts.count == 17)
        let combined = try PSBT(text: texts[8]).combined(with: PSBT(text: texts[10]))
        #expect(try combined == PSBT(text: texts[12]))
        #expect(try PSBT(text: texts[10]).combined(with: PSBT(text: texts[8])) == combined)
        let final = try PSBT(text: texts[14])
        #expect(try final.transaction().encoded == hex(texts[16]))
        let created = try PSBT(text: texts[0])
        #expect(try PSBT(created.unsignedTransaction) == created)
    }

    @Test("previous transactions have the identifiers that the standard's inputs name")
    func identifiers() throws {
        let texts = try blocks(of: "0174", from: "* Previous Transactions:", to: "* Public Keys")
        let text = try Vectors.text("bip-text/bip-0174.mediawiki")
        #expect(texts.count == 2)
        for block in texts {
            let transaction = try Transaction(decoding: hex(block))
            #expect(transaction.encoded == hex(block))
            #expect(text.contains("* TXID: <tt>\(transaction.id)</tt>"))
        }
    }

    @Test("a combiner orders the keys of unknown fields")
    func unknown() throws {
        let texts = try blocks(of: "0174", from: "Given these two PSBTs", to: "==Rationale==")
        #expect(texts.count == 6)
        let combined = try PSBT(text: texts[0]).combined(with: PSBT(text: texts[2]))
        #expect(combined.encoded == hex(texts[4]))
        #expect(combined.unknownFieldCount > 0)
    }
}
