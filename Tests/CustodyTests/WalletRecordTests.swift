internal import Bitcoin
import Encoding
import Foundation
internal import HDKeys
import TestSupport
import Testing
import Threshold
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import Custody
@testable import CustodyTestSupport

@Suite("Wallet descriptions")
struct WalletRecordTests {
    private func record() throws -> WalletRecord { try KnownWallet(total: 2).record }
    private func name() throws -> WalletName { try WalletName("known") }

    @Test("golden bytes, whose ids can be recomputed")
    func golden() throws {
        let record = try record()
        #expect(String(decoding: try record.encoded, as: UTF8.self) == GoldenRecord.text)
        #expect(try WalletRecord(decoding: Array(GoldenRecord.text.utf8), name: try name()) == record)
    }

    @Test("descriptions of every size and network survive encoding")
    func roundTrip() throws {
        for (threshold, total) in [(2, 2), (2, 3), (3, 5), (15, 15)] {
            for network in Network.allCases {
                let record = try KnownWallet(0x01, threshold: threshold, total: total, network: network, epoch: 7)
                    .record
                #expect(try WalletRecord(decoding: try record.encoded, name: record.name) == record)
                #expect(try record.encoded.count < Limits.walletRecordSize)
            }
        }
    }

    @Test(
        "one field broken is said to be broken",
        arguments: GoldenRecord.breaks)
    func broken(_ text: String, _ other: String, _ reason: String) throws {
        #expect(GoldenRecord.text.contains(text))
        // Only the first of them.
        let range = try #require(GoldenRecord.text.range(of: text))
        let changed = GoldenRecord.text.replacingCharacters(in: range, with: other)
        #expect(throws: CustodyError.damagedWallet(name: "known", reason: reason)) {
            try WalletRecord(decoding: Array(changed.utf8), name: try name())
        }
    }

    @Test("the epochs of a wallet and of its shares agree")
    func epoch() throws {
        // The wallet's own epoch comes first.
        let range = try #require(GoldenRecord.text.range(of: "\"epoch\" : 0"))
        let changed = GoldenRecord.text.replacingCharacters(in: range, with: "\"epoch\" : 1")
        let reason = "the entry of share 1 contradicts the wallet"
        #expect(throws: CustodyError.damagedWallet(name: "known", reason: reason)) {
            try WalletRecord(decoding: Array(changed.utf8), name: try name())
        }
    }

    @Test("an epoch that does not fit the counter is refused, and causes no crash", arguments: [-1, 1 << 32, Int.max])
    func impossibleEpoch(_ epoch: Int) throws {
        let changed = GoldenRecord.text.replacingOccurrences(of: "\"epoch\" : 0", with: "\"epoch\" : \(epoch)")
        #expect(throws: CustodyError.damagedWallet(name: "known", reason: "its epoch is not possible")) {
            try WalletRecord(decoding: Array(changed.utf8), name: try name())
        }
    }

    @Test(
        "a path that is none, or that would move a terminal's cursor, is refused",
        arguments: ["device.vault", "/a\u{1b}[2K"])
    func path(_ path: String) throws {
        let record = try KnownWallet().record
        let moved = record.with(sharesAt: [.device: path])
        #expect(throws: CustodyError.damagedWallet(name: "known", reason: "the path of share 1 is not a path")) {
            try WalletRecord(decoding: moved.encoded, name: record.name)
        }
        #expect(
            try WalletRecord(decoding: record.with(sharesAt: [.device: "/a b/ü"]).encoded, name: record.name).shares[0]
                .path == "/a b/ü")
    }

    @Test("the shares of another wallet, with their ids, are refused")
    func otherShares() throws {
        let other = try KnownWallet(0x44, total: 2).record
        let mixed = WalletRecord(
            name: other.name, network: .regtest, createdAt: 0, epoch: 0, keys: try record().keys, imported: nil,
            shares: other.shares)
        #expect(throws: CustodyError.damagedWallet(name: "known", reason: "the id of share 1 is another wallet's")) {
            try WalletRecord(decoding: try mixed.encoded, name: try name())
        }
    }

    @Test("a description above the limit is refused")
    func limit() throws {
        let padded = Array(GoldenRecord.text.utf8) + [UInt8](repeating: 0x20, count: Limits.walletRecordSize)
        #expect(throws: CustodyError.damagedWallet(name: "known", reason: "it is too large")) {
            try WalletRecord(decoding: padded, name: try name())
        }
    }

    @Test("ids identify wallets, shares and epochs; a wallet's id stays when its shares are renewed")
    func ids() throws {
        let wallet = try KnownWallet()
        let renewed = try wallet.renewed(epoch: 1)
        var ids = wallet.record.shares.map(\.id)
        ids += renewed.record.shares.map(\.id)
        ids += try KnownWallet(0x44).record.shares.map(\.id)
        #expect(Set(ids).count == 9)
        #expect(ids.allSatisfy { $0.count == 64 })
        #expect(renewed.record.walletID == wallet.record.walletID)
        #expect(renewed.record.keys != wallet.record.keys)
    }

    @Test("the id of a wallet depends on each of its three keys")
    func walletID() throws {
        let one = try KnownWallet().record.keys
        let other = try KnownWallet(0x44).record.keys
        let keys = [
            one, other, try GroupKeys(schnorr: other.schnorr, ecdsa: one.ecdsa, ed25519: one.ed25519),
            try GroupKeys(schnorr: one.schnorr, ecdsa: other.ecdsa, ed25519: one.ed25519),
            try GroupKeys(schnorr: one.schnorr, ecdsa: one.ecdsa, ed25519: other.ed25519),
        ]
        #expect(Set(keys.map { WalletRecord.walletID(of: $0, imported: nil) }).count == 5)
    }

    @Test("keys for different numbers of participants, and one key for two purposes, are refused")
    func mixedKeys() throws {
        let keys = try KnownWallet().record.keys
        let others = try KnownWallet(total: 2).record.keys
        let inconsistent = CeremonyError.threshold(.inconsistentKey)
        #expect(throws: inconsistent) {
            try GroupKeys(schnorr: keys.schnorr, ecdsa: others.ecdsa, ed25519: keys.ed25519)
        }
        #expect(throws: inconsistent) {
            try GroupKeys(schnorr: keys.schnorr, ecdsa: keys.ecdsa, ed25519: others.ed25519)
        }
        #expect(throws: inconsistent) {
            try GroupKeys(schnorr: keys.schnorr, ecdsa: keys.schnorr, ed25519: keys.ed25519)
        }
    }

    @Test("a share is found by its place; an unknown place is reported")
    func places() throws {
        let record = try record()
        #expect(try record.share(at: .backup).index == 2)
        #expect(throws: CustodyError.noSuchShare(name: "recovery")) { try record.share(at: .recovery) }
    }

    @Test("fuzzing: an accepted description encodes to itself, and nothing traps")
    func fuzz() throws {
        let name = try name()
        Fuzz.mutations(of: [Array(GoldenRecord.text.utf8)], iterations: 2_000) { bytes in
            guard let record = try? WalletRecord(decoding: bytes, name: name) else { return }
            let again = try WalletRecord(decoding: try record.encoded, name: name)
            #expect(again == record)
        }
    }

    @Test("addresses are those of the group's key, on the wallet's network")
    func addresses() throws {
        let record = try record()
        let address = try record.address(.taproot, at: .receive, index: 5)
        #expect(address.path == "m/0/5" && address.address.hasPrefix("bcrt1p"))
        let expected = try TaprootAccount(groupKey: record.keys.schnorr.publicKey, network: .regtest)
            .key(at: AddressPath(.receive, index: 5)).scriptPubKey
        #expect(address.scriptPubKey == expected)
        #expect(try record.address(.taproot, at: .change, index: 5).scriptPubKey != address.scriptPubKey)
        let segwit = try record.address(.segwit, at: .receive, index: 5)
        #expect(segwit.path == "m/0/5" && segwit.address.hasPrefix("bcrt1q") && !segwit.address.hasPrefix("bcrt1p"))
        let script = try SegwitAccount(groupKey: record.keys.ecdsa.publicKey, network: .regtest)
            .key(at: AddressPath(.receive, index: 5)).scriptPubKey
        #expect(segwit.scriptPubKey == script)
        #expect(throws: CustodyError.wallet(.key(.badPath))) {
            try record.address(.taproot, at: .receive, index: 1 << 31)
        }
    }
}
