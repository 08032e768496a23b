internal import Foundation
import TestSupport
import Testing

@Suite(
    "A machine that is gone",
    .enabled(if: Peer.node.isExpected, Comment(rawValue: Peer.node.absence)),
    .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct RestorationTests {
    @Test("with its home gone, the wallet is restored from backup and recovery, and spends its coins")
    func homeIsGone() throws {
        let node = try Node()
        let wallet = try TestWallet(isCopy: false)
        let address = try wallet.address()
        let coin = try node.fund(scriptPubKey: address.script_pubkey)
        try FileManager.default.removeItem(atPath: "\(wallet.folder)/home")
        #expect(try wallet.fueki.run("wallet", "show", "savings").status == 66)

        // The files were copied to another place meanwhile.
        try FileManager.default.moveItem(atPath: "\(wallet.folder)/recovery", toPath: "\(wallet.folder)/safe")
        let moved = "\(wallet.folder)/safe/fueki-savings-recovery.vault"
        let restored = try wallet.fueki.json(
            "wallet", "restore", "savings", "--share", try wallet.share("backup"), "--share", moved,
            "--passphrase-file", "passphrase", as: TestWallet.Description.self)
        #expect(restored.taproot_xonly == wallet.description.taproot_xonly)
        #expect(restored.shares.map(\.present) == [false, true, true])
        #expect(restored.shares.map(\.path) == [try wallet.share("device"), try wallet.share("backup"), moved])
        #expect(try wallet.address().address == address.address)

        try wallet.fueki.folder.write(
            Embit.psbt(
                inputs: [.init(coin, key: wallet.key(of: address))],
                outputs: [.init(value: coin.value - 10_000, scriptPubKey: Bob.scriptPubKey)]), to: "payment.psbt")
        wallet.expectNothingSigned(
            try wallet.sign(with: "device,backup"), status: 4, says: "the device share is not at")
        let transaction = try wallet.transaction(signedWith: "backup,recovery")
        #expect(try Kernel.verdicts(on: transaction, spending: [coin]) == [true])
        #expect(try node.mine(transaction) == 1)
    }
}
