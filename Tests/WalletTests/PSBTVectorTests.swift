import TestSupport
import Testing

@testable import Wallet

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
        ])
    func invalid(_ bip: String, _ start: String, _ end: String, _ count: Int) throws {
        let pairs = try Self.pairs(of: bip, from: start, to: end)
        #expect(pairs.count == count)
        for (number, pair) in pairs.enumerated() {
            #expect(throws: WalletError.self, "number \(number)") { try PSBT(text: pair.0) }
            #expect(throws: WalletError.self, "number \(number)") { try PSBT(text: pair.1) }
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

    @Test("what a signer must not sign contradicts itself")
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
