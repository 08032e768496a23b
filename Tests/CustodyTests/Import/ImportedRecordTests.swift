import Encoding
import Foundation
internal import HDKeys
import TestSupport
import Testing
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import Custody

/// The description of an imported wallet, written out. It can be recomputed from ``GoldenRecord``'s keys: chain codes
/// of one byte repeated, account 5, below a parent 00112233.
enum GoldenImport {
    static let taproot =
        "tpubDC2RiwGzSCPCLwbkvWvSppituM9UtQUvKyx2kwGaivKCZPuMV3wgjx9VWgd8TtqH8StaLZ1fZj5VRwGE8HbtRYZHhAm3TXogFBLX7VTwtKr"
    static let segwit =
        "tpubDC2RiwGzSCPCLvSWc5Twfwz6yU5pCwvEsrRfRqLmR3tRMXby1busaujWnjdLcaef2T7LcmMsZRnQEpXnnGEKLyQY2cdAqsaMk1CNuHm8VGD"
    static let ethereum =
        "tpubDC2RiwGzSCPCLHLcS2qrmxNmFJ4USHtUThfttZefZEDUon1ZsEurbaWDfaiVH4wA9JRrhNPpTqA8odiuQE1WbNhoWQY5wbxw1wCmSssAFkw"
    static let ids = [
        "c9219bff72376f3a878fb5c99f0f8da468bcc34b0491bbd79d8461edde15e666",
        "16fdef8b3810dabeb317964ca773489286f8087a1d7f8cf9dceb8946e4ff9c2c",
    ]
    static let ethereumIDs = [
        "ec40fa37e9653d12819f235582705377310a5f44d27d7f1ddaf29c2732c3ad5d",
        "29a19d7c87af48a57bdf5c1836f946d5672f5224afc72686d42c03578e5310b8",
    ]

    static let bitcoinPart = """
          "imported" : {
            "chain" : "bitcoin",
            "master" : "73c5da0a",
            "segwit" : "\(segwit)",
            "taproot" : "\(taproot)"
          },

        """
    static let ethereumPart = """
          "imported" : {
            "chain" : "ethereum",
            "ethereum" : "\(ethereum)",
            "master" : "73c5da0a"
          },

        """

    /// The Bitcoin account, with the keys of ``KnownWallet``.
    static let texts = ["chain": "bitcoin", "master": "73c5da0a", "taproot": taproot, "segwit": segwit]

    static func keys() throws -> ImportedPublicKeys {
        guard let keys = ImportedPublicKeys(texts: texts, on: .regtest) else { throw CustodyError.malformedRecord }
        return keys
    }

    static let text = golden(bitcoinPart, ids)
    static let ethereumText = golden(ethereumPart, ethereumIDs)

    /// Like ``GoldenRecord/text``, in format 3, with an additional part and other ids.
    private static func golden(_ part: String, _ ids: [String]) -> String {
        var text = GoldenRecord.text.replacing(#""format" : 2,"# + "\n", with: #""format" : 3,"# + "\n" + part)
        for (own, other) in zip(GoldenRecord.ids, ids) { text = text.replacing(own, with: other) }
        return text
    }

    /// One field broken, with its error.
    static let breaks: [(String, String, String)] = {
        let invalid = "the extended keys that it was imported with are not valid"
        let foreign = "the extended keys that it was imported with are not those of its shares"
        func extended(_ text: String, _ change: ([UInt8]) -> [UInt8]) -> String {
            Base58Check.encode(change((try? Base58Check.decode(text, limit: 78)) ?? []))
        }
        return [
            (#""format" : 3"#, #""format" : 4"#, "its format 4 is not known to this version"),
            (#""format" : 3"#, #""format" : 2"#, "its format 2 and what it was imported with contradict each other"),
            (bitcoinPart, "", "its format 3 and what it was imported with contradict each other"),
            (
                bitcoinPart, "  \"imported\" : null,\n",
                "its format 3 and what it was imported with contradict each other"
            ),
            (bitcoinPart, "  \"imported\" : 1,\n", "it is not a wallet's description"),
            // Another chain code, parent or master is another wallet.
            (taproot, extended(taproot) { $0.flipping(13) }, "the id of share 1 is another wallet's"),
            (segwit, extended(segwit) { $0.flipping(44) }, "the id of share 1 is another wallet's"),
            (segwit, extended(segwit) { $0.flipping(5) }, "the id of share 1 is another wallet's"),
            (#""73c5da0a""#, #""73c5da0b""#, "the id of share 1 is another wallet's"),
            // Another point is not one of the wallet's keys: y of the other parity, or another account's.
            (taproot, extended(taproot) { $0.flipping(45) }, foreign),
            (segwit, extended(segwit) { $0.flipping(45) }, foreign),
            (segwit, taproot, foreign), (taproot, segwit, foreign),
            // Not three steps deep, not hardened, two different numbers, another network.
            (taproot, extended(taproot) { $0.flipping(4) }, invalid),
            (taproot, extended(taproot) { $0.flipping(9, by: 0x80) }, invalid),
            (taproot, extended(taproot) { $0.flipping(12) }, invalid),
            (taproot, extended(taproot) { [0x04, 0x88, 0xB2, 0x1E] + $0.dropFirst(4) }, invalid),
            (taproot, String(taproot.dropLast()) + "1", invalid),
            (#""73c5da0a""#, #""73C5DA0A""#, invalid), (#""73c5da0a""#, #""73c5da""#, invalid),
            (#""chain" : "bitcoin""#, #""chain" : "ethereum""#, invalid),
            (#""chain" : "bitcoin""#, #""chain" : "litecoin""#, invalid),
            (#""chain" : "bitcoin","#, "", invalid), (#""segwit" : "#, #""legacy" : "#, invalid),
            (#""chain" : "bitcoin""#, #""chain" : "bitcoin", "more" : "x""#, invalid),
        ]
    }()
}

@Suite("Wallet descriptions of imported wallets")
struct ImportedRecordTests {
    private func name() throws -> WalletName { try WalletName("known") }

    private func record(_ imported: ImportedPublicKeys) throws -> WalletRecord {
        try WalletRecord.known(try KnownWallet(total: 2).record.keys, imported: imported)
    }

    private func bitcoin() throws -> WalletRecord {
        try record(GoldenImport.keys())
    }

    private func ethereum() throws -> WalletRecord {
        let texts = ["chain": "ethereum", "master": "73c5da0a", "ethereum": GoldenImport.ethereum]
        return try record(try #require(ImportedPublicKeys(texts: texts, on: .regtest)))
    }

    @Test("golden bytes of their own format, whose ids can be recomputed")
    func golden() throws {
        for (record, text) in [
            (try bitcoin(), GoldenImport.text), (try ethereum(), GoldenImport.ethereumText),
        ] {
            #expect(String(decoding: try record.encoded, as: UTF8.self) == text)
            #expect(try WalletRecord(decoding: Array(text.utf8), name: try name()) == record)
        }
    }

    @Test("a description with one field broken is refused with the field's name", arguments: GoldenImport.breaks)
    func broken(_ text: String, _ other: String, _ reason: String) throws {
        let range = try #require(GoldenImport.text.range(of: text))
        let changed = GoldenImport.text.replacingCharacters(in: range, with: other)
        #expect(throws: CustodyError.damagedWallet(name: "known", reason: reason)) {
            try WalletRecord(decoding: Array(changed.utf8), name: try name())
        }
    }

    @Test("the imported part of an Ethereum account is checked in the same way")
    func brokenEthereum() throws {
        func reason(_ text: String, _ other: String) throws -> CustodyError? {
            let range = try #require(GoldenImport.ethereumText.range(of: text))
            let changed = GoldenImport.ethereumText.replacingCharacters(in: range, with: other)
            let name = try name()
            do throws(CustodyError) {
                _ = try WalletRecord(decoding: Array(changed.utf8), name: name)
                return nil
            } catch { return error }
        }
        func damaged(_ reason: String) -> CustodyError { .damagedWallet(name: "known", reason: reason) }
        #expect(
            try reason(GoldenImport.ethereum, GoldenImport.taproot)
                == damaged("the extended keys that it was imported with are not those of its shares"))
        // The same point with another chain code.
        #expect(
            try reason(GoldenImport.ethereum, GoldenImport.segwit) == damaged("the id of share 1 is another wallet's"))
        #expect(
            try reason("tpub", "xpub") == damaged("the extended keys that it was imported with are not valid"))
    }

    @Test("the record of the import stays through moves and renewals, and is compared")
    func carried() throws {
        let (bitcoin, plain) = (try bitcoin(), try KnownWallet(total: 2).record)
        #expect(bitcoin.with(sharesAt: [.device: "/elsewhere"]).imported == bitcoin.imported)
        #expect(bitcoin.isSameWallet(as: bitcoin.with(sharesAt: [.device: "/elsewhere"])))
        let renewed = try WalletRecord.known(
            try KnownWallet(total: 2).renewed(epoch: 1).record.keys, epoch: 1, imported: bitcoin.imported)
        #expect(bitcoin.isOtherRenewal(of: renewed) && renewed.walletID == bitcoin.walletID)
        let stranger = try WalletRecord.known(renewed.keys, epoch: 1)
        #expect(!bitcoin.isOtherRenewal(of: stranger) && plain.isOtherRenewal(of: stranger))
        let ethereum = try ethereum()
        #expect(stranger.walletID != renewed.walletID && ethereum.walletID != bitcoin.walletID)
        // A journal cannot lead from one to the other either.
        let name = try name()
        let journal = RenewalJournal(from: bitcoin, to: renewed, lost: [])
        #expect(try RenewalJournal(decoding: try journal.encoded, name: name) == journal)
        let crossed = try RenewalJournal(from: bitcoin, to: stranger, lost: []).encoded
        #expect(throws: CustodyError.damagedWallet(name: "known", reason: "its renewal.json is damaged")) {
            try RenewalJournal(decoding: crossed, name: name)
        }
    }

    @Test("fuzzing: an accepted description encodes to itself, and nothing traps")
    func fuzz() throws {
        let name = try name()
        Fuzz.mutations(of: [GoldenImport.text, GoldenImport.ethereumText].map { Array($0.utf8) }, iterations: 2_000) {
            bytes in
            guard let record = try? WalletRecord(decoding: bytes, name: name) else { return }
            let again = try WalletRecord(decoding: try record.encoded, name: name)
            #expect(again == record)
        }
    }
}
