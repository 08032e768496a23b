import BitcoinTestSupport
import TestSupport
import Testing

@testable import Bitcoin
@testable import HDKeys

@Suite("PSBT vectors")
struct PSBTVectorTests {
    /// Returns PSBTs, each in hexadecimal and in Base64.
    private static func pairs(_ list: JSON, of count: Int) throws -> [(String, String)] {
        try list.array(of: count).map { (try $0["hex"].string, try $0["base64"].string) }
    }

    @Test(
        "the standards' invalid vectors are refused, in hexadecimal and in Base64",
        arguments: [
            ("bip174", "invalid", 20), ("bip371", "invalid", 11), ("bip370", "invalid", 24),
            ("bip370", "conflicting", 1),
        ])
    func invalid(_ bip: String, _ list: String, _ count: Int) throws {
        for (number, pair) in try Self.pairs(Vectors.json(bip)[list], of: count).enumerated() {
            #expect(throws: BitcoinError.self, "number \(number)") { try PSBT(text: pair.0) }
            #expect(throws: BitcoinError.self, "number \(number)") { try PSBT(text: pair.1) }
        }
    }

    @Test(
        "the standards' valid vectors are read, and written with the same content",
        arguments: [("bip174", 10), ("bip371", 6)])
    func valid(_ bip: String, _ count: Int) throws {
        for (number, pair) in try Self.pairs(Vectors.json(bip)["valid"], of: count).enumerated() {
            let psbt = try PSBT(text: pair.0)
            #expect(try PSBT(text: pair.1) == psbt, "number \(number)")
            #expect(try PSBT(decoding: psbt.encoded) == psbt, "number \(number)")
            #expect(psbt.encoded.count == pair.0.utf8.count / 2, "number \(number)")
            #expect(!psbt.inputs.contains { !$0.isConsistent }, "number \(number)")
        }
    }

    @Test("version 2 is read and written with the same content, and refused with the name of the error")
    func versionTwo() throws {
        let file = try Vectors.json("bip370")
        let valid = try Self.pairs(file["valid"], of: 14)
        let plain = try PSBT(text: valid[0].0)
        for (number, pair) in valid.enumerated() {
            let psbt = try PSBT(text: pair.0)
            #expect(try PSBT(text: pair.1) == psbt, "number \(number)")
            // Written as version 2, with every field.
            #expect(try PSBT(decoding: psbt.encoded) == psbt && psbt.unknownFieldCount == 0, "number \(number)")
            #expect(psbt.encoded.count == pair.0.utf8.count / 2, "number \(number)")
            #expect(psbt.versionTwo?.global[PSBTType.Global.version] == [2, 0, 0, 0], "number \(number)")
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
        let invalid = try Self.pairs(file["invalid"], of: names.count)
        for (number, (pair, name)) in zip(invalid, names).enumerated() {
            #expect(throws: name, "number \(number)") { try PSBT(text: pair.0) }
        }
    }

    @Test("the lock time is of the kind that all inputs accept, and the highest")
    func lockTimes() throws {
        let file = try Vectors.json("bip370")
        for (test, count) in zip(try file["lock_times"].array(of: 3), [2, 4, 3]) {
            let lockTime = UInt32(try test["lock_time"].integer)
            for pair in try Self.pairs(test["psbts"], of: count) {
                #expect(try PSBT(text: pair.0).unsignedTransaction.lockTime == lockTime)
                #expect(try PSBT(text: pair.1) == PSBT(text: pair.0))
            }
        }
        let conflict = try Self.pairs(file["conflicting"], of: 1)
        #expect(throws: BitcoinError.psbt(.conflictingLockTimes)) { try PSBT(text: conflict[0].0) }
    }

    @Test("a PSBT that a signer must not sign contradicts itself")
    func signerChecks() throws {
        for (number, pair) in try Self.pairs(Vectors.json("bip174")["inconsistent"], of: 4).enumerated() {
            let psbt = try PSBT(text: pair.0)
            #expect(psbt.inputs.contains { !$0.isConsistent }, "number \(number)")
            let summary = SpendSummary(of: psbt, for: try LoneSigner().ownership)
            #expect(summary.refusals.contains { if case .inconsistentInput = $0 { true } else { false } })
        }
    }

    @Test("two signers' PSBTs are combined, and a final one gives the standard's transaction")
    func combineAndExtract() throws {
        let steps = try Vectors.json("bip174")["steps"]
        func psbt(_ name: String) throws -> PSBT { try PSBT(text: steps[name].string) }
        let combined = try psbt("first_signer").combined(with: psbt("second_signer"))
        #expect(try combined == psbt("combined"))
        #expect(try psbt("second_signer").combined(with: psbt("first_signer")) == combined)
        #expect(try psbt("final").transaction().encoded == steps["transaction"].bytes)
        let created = try psbt("created")
        #expect(try PSBT(created.unsignedTransaction) == created)
    }

    @Test("previous transactions have the identifiers that the standard's inputs name")
    func identifiers() throws {
        let previous = try Vectors.json("bip174")["previous"]
        let transactions = try previous["transactions"].array(of: 2).map { encoded in
            let transaction = try Transaction(decoding: encoded.bytes)
            #expect(try transaction.encoded == encoded.bytes)
            return transaction
        }
        #expect(try transactions.map(\.id.description).sorted() == previous["ids"].array.map { try $0.string })
    }

    @Test("a combiner orders the keys of unknown fields")
    func unknown() throws {
        let unknown = try Vectors.json("bip174")["unknown"]
        let combined = try PSBT(text: unknown["first"].string).combined(with: PSBT(text: unknown["second"].string))
        #expect(try combined.encoded == unknown["combined"].bytes)
        #expect(combined.unknownFieldCount > 0)
    }
}
