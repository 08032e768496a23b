internal import Foundation
import TestSupport
import Testing

/// Attacks on the transaction between the person and the shares.
@Suite(
    "Transactions that are not signed", .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct SpendRefusalTests {
    @Test("an output's amount or script that was changed after the confirmation is refused")
    func changedAfterConfirmation() throws {
        let wallet = try TestWallet()
        let psbt = try wallet.writePayment()
        let confirmed = try wallet.fueki.json("psbt", "inspect", "payment.psbt", as: Inspection.self)
        let expecting = ["--expect", confirmed.digest]

        // Bob gets 0.001 BTC less, as eight bytes in little-endian order; then another payee gets all of it.
        let amount = hex("a0f9944900000000")
        let script = hex(Bob.scriptPubKey)
        for (old, new) in [(amount, hex("0073934900000000")), (script, script.dropLast() + [2])] {
            try replacing(old, with: new, in: psbt).write(to: URL(fileURLWithPath: "\(wallet.folder)/changed.psbt"))
            // It is a valid transaction of this wallet: only the confirmation is for another one.
            #expect(
                try wallet.fueki.json("psbt", "inspect", "changed.psbt", as: Inspection.self).digest != confirmed.digest
            )
            wallet.expectNothingSigned(
                try wallet.sign("changed.psbt", with: "device,backup", confirmation: expecting), status: 2,
                says: "this is not what was confirmed; nothing was signed")
        }
        #expect(try wallet.sign(with: "device,backup", confirmation: expecting).status == 0)
    }

    @Test("an output that falsely claims to be change is refused, and shown as a payment")
    func falseChange() throws {
        let wallet = try TestWallet()
        let change = try wallet.address(change: true)
        // The claim stays, and its script becomes Bob's.
        let psbt = try replacing(
            hex(change.script_pubkey), with: hex(Bob.scriptPubKey), in: wallet.writePayment())
        try psbt.write(to: URL(fileURLWithPath: "\(wallet.folder)/payment.psbt"))
        let seen = try wallet.fueki.json("psbt", "inspect", "payment.psbt", as: Inspection.self)
        #expect(seen.outputs.map(\.ours) == [false, false])
        #expect(seen.change == 0)
        wallet.expectNothingSigned(
            try wallet.sign(with: "device,backup"), status: 2,
            says: "the claim that output 1 is change of this wallet is false")
    }

    @Test("an amount that contradicts its previous transaction is refused")
    func contradictedAmount() throws {
        let node = try Node()
        let wallet = try TestWallet()
        let address = try wallet.address()
        var coin = try node.fund(scriptPubKey: address.script_pubkey)
        let previous = try node.ask("getrawtransaction", coin.txid).trimmingCharacters(in: .whitespacesAndNewlines)
        func pay() throws {
            try wallet.fueki.folder.write(
                Embit.psbt(
                    inputs: [.init(coin, key: wallet.key(of: address), previousTransaction: previous)],
                    outputs: [.init(value: 4_999_990_000, scriptPubKey: Bob.scriptPubKey)]), to: "payment.psbt")
        }
        coin.value += 1
        try pay()
        wallet.expectNothingSigned(
            try wallet.sign(with: "device,backup"), status: 65,
            says: "input 0: the previous transaction in the PSBT is not the one that is spent")
        coin.value -= 1
        try pay()
        #expect(try Kernel.verdicts(on: wallet.transaction(signedWith: "device,backup"), spending: [coin]) == [true])
    }

    @Test("a false amount makes a signature that no node accepts: it cannot hide a fee")
    func amountThatIsALie() throws {
        let node = try Node()
        let wallet = try TestWallet()
        let address = try wallet.address()
        let coin = try node.fund(scriptPubKey: address.script_pubkey)
        var lie = coin
        lie.value = 1_000_000
        try wallet.fueki.folder.write(
            Embit.psbt(
                inputs: [.init(lie, key: wallet.key(of: address))],
                outputs: [.init(value: 990_000, scriptPubKey: Bob.scriptPubKey)]), to: "payment.psbt")
        let transaction = try wallet.transaction(signedWith: "device,backup")
        #expect(try Kernel.verdicts(on: transaction, spending: [coin]) == [false])
        #expect(try node.refusal(of: transaction)?.contains("Invalid Schnorr signature") == true)
    }

    @Test(
        "a fee that looks like a mistake is not signed unseen: it takes its name, with --yes and with its digest")
    func costlyFee() throws {
        let wallet = try TestWallet()
        let address = try wallet.address()
        let coin = wallet.inventedCoin(at: address)
        try wallet.fueki.folder.write(
            Embit.psbt(
                inputs: [.init(coin, key: wallet.key(of: address))],
                outputs: [.init(value: coin.value / 3, scriptPubKey: Bob.scriptPubKey)]), to: "payment.psbt")
        wallet.expectNothingSigned(
            try wallet.sign(with: "device,backup"), status: 2, says: "not signed with --yes: the fee is 200 %")
        let digest = try wallet.fueki.json("psbt", "inspect", "payment.psbt", as: Inspection.self).digest
        wallet.expectNothingSigned(
            try wallet.sign(with: "device,backup", confirmation: ["--expect", digest]), status: 2,
            says: "add --accept high_fee_share")
        wallet.expectNothingSigned(
            try wallet.sign(with: "device,backup", confirmation: ["--expect", digest, "--accept", "high_fe_share"]),
            status: 64, says: "the finding 'high_fe_share' is unknown: --accept takes ")
        let accepting = ["--expect", digest, "--accept", "dust,high_fee_share,high_fee_rate"]
        #expect(try wallet.sign(with: "device,backup", confirmation: accepting).isSuccess)
    }

    @Test("another wallet's transaction is refused, on the same network and on another")
    func anotherWallet() throws {
        let wallet = try TestWallet()
        for other in [(name: "other", network: "regtest"), (name: "another", network: "mainnet")] {
            let stranger = try TestWallet(named: other.name, network: other.network)
            try stranger.writePayment()
            try FileManager.default.copyItem(
                atPath: "\(stranger.folder)/payment.psbt", toPath: "\(wallet.folder)/\(other.name).psbt")
            wallet.expectNothingSigned(
                try wallet.sign("\(other.name).psbt", with: "device,backup"), status: 2,
                says: "none of the inputs belongs to this wallet")
        }
    }

    @Test("an existing file is never overwritten")
    func outputExists() throws {
        let wallet = try TestWallet()
        try wallet.writePayment()
        try wallet.fueki.folder.write("precious", to: "signed.psbt")
        let outcome = try wallet.sign(with: "device,backup")
        #expect(outcome.status == 73)
        #expect(outcome.errors.contains("signed.psbt exists already, and is left as it is"))
        #expect(try wallet.fueki.folder.read("signed.psbt") == "precious")
        // Nor the payment itself.
        #expect(try wallet.sign(with: "device,backup", to: "payment.psbt").status == 73)
        #expect(try wallet.sign(with: "device,backup", to: "nowhere/signed.psbt").status == 73)
    }

    @Test("a signed payment is not signed again; an unsigned one is not finalised")
    func outOfTurn() throws {
        let wallet = try TestWallet()
        try wallet.writePayment()
        let early = try wallet.fueki.run("psbt", "finalize", "payment.psbt", "-o", "transaction.hex")
        #expect(early.status == 65)
        #expect(early.errors.contains("input 0 is not signed"))
        #expect(!wallet.files.contains("transaction.hex"))
        #expect(try wallet.sign(with: "device,backup", to: "once.psbt").status == 0)
        wallet.expectNothingSigned(
            try wallet.sign("once.psbt", with: "device,backup"), status: 2,
            says: "all inputs of this wallet are signed already")
    }

    private func replacing(_ old: some Collection<UInt8>, with new: some Collection<UInt8>, in psbt: Data) throws
        -> Data
    {
        var psbt = psbt
        // In the transaction, which comes first; later statements about it stay unchanged.
        let place = try #require(psbt.firstRange(of: Data(old)))
        psbt.replaceSubrange(place, with: Data(new))
        return psbt
    }
}
