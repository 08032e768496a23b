import Encoding
import Foundation
internal import HDKeys
import TestSupport
import Testing
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import Custody
@testable import CustodyTestSupport

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
