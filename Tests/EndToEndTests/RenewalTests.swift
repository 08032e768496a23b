internal import Foundation
import TestSupport
import Testing

/// Renewals on real parts: whatever happens to the shares, the coins keep their addresses and can be spent.
@Suite(
    "Coins through renewals of the shares",
    .enabled(if: Peer.node.isExpected, Comment(rawValue: Peer.node.absence)),
    .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct RenewalTests {
    /// Runs `fueki wallet …` on the wallet, and returns its output.
    private func renew(_ wallet: borrowing TestWallet, _ words: String...) throws -> TestWallet.Description {
        try wallet.fueki.json(
            ["wallet", words[0], wallet.name, "--passphrase-file", "passphrase"] + words.dropFirst())
    }

    /// A coin paid before any renewal is spent with these shares; the node mines it.
    private func spend(
        _ coin: Coin, at address: TestWallet.Address, of wallet: borrowing TestWallet, with shares: String,
        on node: borrowing Node
    ) throws {
        try wallet.fueki.folder.write(
            Embit.psbt(
                inputs: [.init(coin, key: wallet.key(of: address))],
                outputs: [.init(value: coin.value - 10_000, scriptPubKey: Bob.scriptPubKey)]), to: "payment.psbt")
        let transaction = try wallet.transaction(signedWith: shares)
        #expect(try Kernel.verdicts(on: transaction, spending: [coin]) == [true], "\(shares)")
        #expect(try node.mine(transaction) == 1, "\(shares)")
    }

    @Test(
        "refreshed, moved to 3 of 5 and back, a lost share repaired: what was paid before is spent after each of them")
    func lifecycle() throws {
        let node = try Node()
        let wallet = try TestWallet()
        let addresses = try (0..<6).map { try wallet.address($0) }
        let coins = try node.fund(scriptPubKeys: addresses.map(\.script_pubkey)).map(\.coin)
        let oldBackup = try Data(contentsOf: URL(fileURLWithPath: wallet.share("backup")))

        #expect(try renew(wallet, "refresh").epoch == 1)
        for (number, pair) in ["device,backup", "device,recovery", "backup,recovery"].enumerated() {
            try spend(coins[number], at: addresses[number], of: wallet, with: pair, on: node)
        }

        let five = try renew(wallet, "reshare", "--threshold", "3", "--shares", "5", "--yes")
        #expect(five.epoch == 2 && five.threshold == 3 && five.total == 5)
        try spend(coins[3], at: addresses[3], of: wallet, with: "share-5,backup,share-4", on: node)
        let two = try wallet.sign(with: "device,backup")
        #expect(!two.isSuccess && two.errors.contains("signing needs 3 different shares"))

        let three = try renew(wallet, "reshare", "--threshold", "2", "--shares", "3", "--yes")
        #expect(three.epoch == 3 && three.threshold == 2 && three.total == 3)
        try spend(coins[4], at: addresses[4], of: wallet, with: "backup,recovery", on: node)

        // The device is gone, and is replaced by one with a new share.
        let device = try #require(three.shares.first { $0.location == "device" }?.path)
        try FileManager.default.removeItem(atPath: device)
        let repaired = try renew(wallet, "repair", "--lost", "device", "--yes")
        #expect(repaired.epoch == 4 && repaired.shares.allSatisfy(\.present))
        try spend(coins[5], at: addresses[5], of: wallet, with: "device,recovery", on: node)

        // An old share in place of the new one signs nothing, and the error names it.
        let backup = try #require(repaired.shares.first { $0.location == "backup" }?.path)
        try oldBackup.write(to: URL(fileURLWithPath: backup))
        try? FileManager.default.removeItem(atPath: "\(wallet.folder)/signed.psbt")
        let refused = try wallet.sign(with: "device,backup")
        #expect(refused.status == 4 && refused.errors.contains("a share from before the wallet was renewed"))
        #expect(!wallet.files.contains("signed.psbt"))

        // The keys have stayed the same all this time.
        #expect(repaired.taproot_xonly == wallet.description.taproot_xonly)
        #expect(try (0..<6).map { try wallet.address($0).address } == addresses.map(\.address))
    }
}
