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

/// The description of a wallet, written out.
enum GoldenRecord {
    static let groupKey =
        "0101010202" + "034f355bdcb7cc0af728ef3cceb9615d90684bb5b2ca5f859ab0f0b704075871aa"
        + "023c72addb4fdf09af94f0c94d7fe92a386a7e70cf8a1d85916386bb2535c7b1b1"
        + "029ac20335eb38768d2052be1dbbc3c8f6178407458e51e6b4ad22f1d91758895b"

    static let ecdsaKey =
        "0101010202" + "02335957765e5780de8418cd93a35ea40f765698198db7fa4c6ba69391668b496b"
        + "021922fe69dadeaef1ac674334b11604f70540420383233121074bdf72c3594872"
        + "03e089dabbfa8147c58faffd7a5a12a546fb49ad73916bfca3012788caf61931f0"
    static let ed25519Key =
        "0101020202" + "dcb190082a0295a8c332e7c1df3daa0a2e42892160744faf6ab033538349270a"
        + "a1d20e65a0d19fa41f00077d690049d96de1ffcd4380c735d38c692f4859c108"
        + "afcbe7fde8283f0c6a6d95ff3412135f1e70df2316235b1e0f3fe8d7d5542e4b"

    static let ids = [
        "7eb64f4b07d2e4bb23087b44cc8a616711ed3134be027b0d08c95763312ac03f",
        "a1dee22f31728a3bc6b2cca14f61dc57c8b29f23ca3f8522378522b7f2cf322e",
    ]

    static func share(_ index: Int, _ location: String, id: String) -> String {
        """
            {
              "created_at" : 1700000000,
              "id" : "\(id)",
              "index" : \(index),
              "location" : "\(location)",
              "metadata" : {
                "epoch" : 0,
                "purposes" : [
                  "schnorr",
                  "ecdsa",
                  "ed25519"
                ],
                "threshold" : 2,
                "total" : 2
              },
              "path" : "/shares/\(location).vault"
            }
        """
    }

    static let text = """
        {
          "created_at" : 1700000000,
          "epoch" : 0,
          "format" : 2,
          "keys" : {
            "ecdsa" : "\(ecdsaKey)",
            "ed25519" : "\(ed25519Key)",
            "schnorr" : "\(groupKey)"
          },
          "name" : "known",
          "network" : "regtest",
          "shares" : [
        \(share(1, "device", id: ids[0])),
        \(share(2, "backup", id: ids[1]))
          ]
        }

        """

    /// One field broken, with its error.
    static let breaks: [(String, String, String)] = [
        (#""format" : 2"#, #""format" : 1"#, "its format 1 is not known to this version"),
        (#""format" : 2"#, #""format" : 4"#, "its format 4 is not known to this version"),
        // The description of an imported wallet, which records the import.
        (
            #""format" : 2"#, #""format" : 3"#,
            "its format 3 and what it was imported with contradict each other"
        ),
        (#""name" : "known""#, #""name" : "other""#, "it has another wallet's name"),
        (#""regtest""#, #""moonnet""#, "its network is not known"),
        (#""schnorr" : "0101"#, #""schnorr" : "0102"#, "its keys are not valid"),
        (#""schnorr" : "01"#, #""schnorr" : "0"#, "its keys are not valid"),
        (#""schnorr" : "0101010202034f"#, #""schnorr" : "0101010202024f"#, "its keys are not valid"),
        (#""ecdsa" : "0101"#, #""ecdsa" : "0102"#, "its keys are not valid"),
        (#""ed25519" : "010102"#, #""ed25519" : "010101"#, "its keys are not valid"),
        (#""ecdsa" : "\#(ecdsaKey)"#, #""ecdsa" : "\#(groupKey)"#, "its keys are not valid"),
        (#""ed25519" : "01"#, #""ed448" : "01"#, "its keys are not valid"),
        (#""index" : 2"#, #""index" : 3"#, "its list of shares is not complete"),
        (#""index" : 2"#, #""index" : 1"#, "its list of shares is not complete"),
        (#""location" : "backup""#, #""location" : "recovery""#, "the entry of share 2 contradicts the wallet"),
        (#""threshold" : 2"#, #""threshold" : 1"#, "the entry of share 1 contradicts the wallet"),
        (#""total" : 2"#, #""total" : 3"#, "the entry of share 1 contradicts the wallet"),
        (#""location" : "backup""#, #""location" : "attic""#, "it is not a wallet's description"),
        ("\"schnorr\",\n", "\"paillier\",\n", "it is not a wallet's description"),
        ("\"schnorr\",\n", "", "the entry of share 1 contradicts the wallet"),
        (#""created_at" : 1700000000"#, #""created_at" : "now""#, "it is not a wallet's description"),
        (#""shares""#, #""shards""#, "it is not a wallet's description"),
        (#"{"#, #"["#, "it is not a wallet's description"),
        (#""id" : "\#(ids[0])""#, #""id" : "00""#, "the id of share 1 is another wallet's"),
    ]
}

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
