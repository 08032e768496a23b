import Encoding
import Foundation
import TestSupport
import Testing
import Threshold
import Wallet

@testable import Custody

/// The description of a wallet, written out.
enum GoldenRecord {
    static let groupKey =
        "0101010202" + "034f355bdcb7cc0af728ef3cceb9615d90684bb5b2ca5f859ab0f0b704075871aa"
        + "023c72addb4fdf09af94f0c94d7fe92a386a7e70cf8a1d85916386bb2535c7b1b1"
        + "029ac20335eb38768d2052be1dbbc3c8f6178407458e51e6b4ad22f1d91758895b"

    static let ids = [
        "1fa6fde5f4c31313d17876a88144745cc5721fd2464424966679ce2395a35fc2",
        "3d333d185ee2e1851b0d01d0df45b34b937c0cdf01361952fb0ce8b86851cf72",
    ]

    static func share(_ index: Int, _ location: String, id: String) -> String {
        """
            {
              "created_at" : 1700000000,
              "id" : "\(id)",
              "index" : \(index),
              "location" : "\(location)",
              "metadata" : {
                "curve" : "secp256k1-bip340",
                "epoch" : 0,
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
          "format" : 1,
          "group_key" : "\(groupKey)",
          "name" : "known",
          "network" : "regtest",
          "shares" : [
        \(share(1, "device", id: ids[0])),
        \(share(2, "backup", id: ids[1]))
          ]
        }

        """

    /// One field broken, and what is said of it.
    static let breaks: [(String, String, String)] = [
        (#""format" : 1"#, #""format" : 2"#, "its format 2 is not known to this version"),
        (#""name" : "known""#, #""name" : "other""#, "it has another wallet's name"),
        (#""regtest""#, #""moonnet""#, "its network is not known"),
        (#""group_key" : "0101"#, #""group_key" : "0102"#, "its group key is not valid"),
        (#""group_key" : "01"#, #""group_key" : "0"#, "its group key is not valid"),
        (#""group_key" : "0101010202034f"#, #""group_key" : "0101010202024f"#, "its group key is not valid"),
        (#""index" : 2"#, #""index" : 3"#, "its list of shares is not complete"),
        (#""index" : 2"#, #""index" : 1"#, "its list of shares is not complete"),
        (#""location" : "backup""#, #""location" : "recovery""#, "the entry of share 2 contradicts the wallet"),
        (#""threshold" : 2"#, #""threshold" : 1"#, "the entry of share 1 contradicts the wallet"),
        (#""total" : 2"#, #""total" : 3"#, "the entry of share 1 contradicts the wallet"),
        (#""location" : "backup""#, #""location" : "attic""#, "it is not a wallet's description"),
        (#""curve" : "secp256k1-bip340""#, #""curve" : "p256""#, "it is not a wallet's description"),
        (#""created_at" : 1700000000"#, #""created_at" : "now""#, "it is not a wallet's description"),
        (#""shares""#, #""shards""#, "it is not a wallet's description"),
        (#"{"#, #"["#, "it is not a wallet's description"),
        (#""id" : "\#(ids[0])""#, #""id" : "00""#, "the id of share 1 is another wallet's"),
    ]
}

@Suite("Wallet records")
struct WalletRecordTests {
    private func record() throws -> WalletRecord { try KnownWallet(total: 2).record }
    private func name() throws -> WalletName { try WalletName("known") }

    @Test("golden bytes, to which anybody can compute the ids")
    func golden() throws {
        let record = try record()
        #expect(String(decoding: try record.encoded, as: UTF8.self) == GoldenRecord.text)
        #expect(try WalletRecord(decoding: Array(GoldenRecord.text.utf8), name: try name()) == record)
    }

    @Test("records of every size and network survive encoding")
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
        // The wallet's own is the first.
        let range = try #require(GoldenRecord.text.range(of: "\"epoch\" : 0"))
        let changed = GoldenRecord.text.replacingCharacters(in: range, with: "\"epoch\" : 1")
        let reason = "the entry of share 1 contradicts the wallet"
        #expect(throws: CustodyError.damagedWallet(name: "known", reason: reason)) {
            try WalletRecord(decoding: Array(changed.utf8), name: try name())
        }
    }

    @Test("an epoch that is no counter is refused, and does not stop the program", arguments: [-1, 1 << 32, Int.max])
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

    @Test("the shares of another wallet, with their ids, are not those of this one")
    func otherShares() throws {
        let other = try KnownWallet(0x44, total: 2).record
        let mixed = WalletRecord(
            name: other.name, network: .regtest, createdAt: 0, epoch: 0, group: try record().group,
            shares: other.shares)
        #expect(throws: CustodyError.damagedWallet(name: "known", reason: "the id of share 1 is another wallet's")) {
            try WalletRecord(decoding: try mixed.encoded, name: try name())
        }
    }

    @Test("a record above the limit is not read")
    func limit() throws {
        let padded = Array(GoldenRecord.text.utf8) + [UInt8](repeating: 0x20, count: Limits.walletRecordSize)
        #expect(throws: CustodyError.damagedWallet(name: "known", reason: "it is too large")) {
            try WalletRecord(decoding: padded, name: try name())
        }
    }

    @Test("ids tell wallets, shares, epochs and renewed shares apart")
    func ids() throws {
        let wallet = try KnownWallet()
        var ids = wallet.record.shares.map(\.id)
        ids += try KnownWallet(epoch: 1).record.shares.map(\.id)
        ids += try KnownWallet(0x44).record.shares.map(\.id)
        ids += try wallet.renewed().record.shares.map(\.id)
        #expect(Set(ids).count == 12)
        #expect(ids.allSatisfy { $0.count == 64 })
    }

    @Test("a share is found by its place; a place that the wallet does not have is said so")
    func places() throws {
        let record = try record()
        #expect(try record.share(at: .backup).index == 2)
        #expect(throws: CustodyError.noSuchShare(name: "recovery")) { try record.share(at: .recovery) }
    }

    @Test("fuzzing: nothing traps, and what is accepted survives another encoding")
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
        let address = try record.address(at: .receive, index: 5)
        #expect(address.path == "m/0/5" && address.address.hasPrefix("bcrt1p"))
        let expected = try TaprootAccount(groupKey: record.group.publicKey, network: .regtest)
            .key(at: AddressPath(.receive, index: 5)).scriptPubKey
        #expect(address.scriptPubKey == Hex.encode(expected.bytes))
        #expect(try record.address(at: .change, index: 5).scriptPubKey != address.scriptPubKey)
        #expect(throws: CustodyError.wallet(.badPath)) { try record.address(at: .receive, index: 1 << 31) }
    }
}
