internal import Foundation
import TestSupport

/// A wallet of `fueki wallet create`, in a home of its own, and the files around it.
struct TestWallet: ~Copyable {
    /// The result of `fueki address --json`.
    struct Address: Decodable {
        let address: String
        let script_pubkey: String
        let path: String
    }

    /// The result of `fueki wallet show --json`.
    struct Description: Decodable {
        struct Share: Decodable {
            let index: Int
            let location: String
            let path: String
            let present: Bool
        }
        let network: String
        let threshold: Int
        let total: Int
        let epoch: Int
        let taproot_xonly: String
        let ecdsa_public_key: String
        let shares: [Share]
    }

    let fueki: FuekiCommand
    let name: String
    let description: Description

    /// Takes a wallet whose shares are in folders by kind: `home`, `backup`, `recovery`.
    ///
    /// - Parameter isCopy: whether its keys may be those of other tests, and the places within its share files those of the first
    ///   copy: ``FuekiCommand/copyWallet(_:as:)``. Otherwise it is made, with keys of its own.
    init(
        named name: String = "savings", threshold: Int = 2, shares: Int = 3, network: String = "regtest",
        isCopy: Bool = true
    ) throws {
        let fueki = try FuekiCommand()
        let arguments = [
            name, "--network", network, "--threshold", "\(threshold)", "--shares", "\(shares)",
            "--backup-dir", "backup", "--recovery-dir", "recovery",
        ]
        description = try isCopy ? fueki.copyWallet(arguments) : fueki.makeWallet(arguments)
        self.fueki = fueki
        self.name = name
    }

    /// Imports a mnemonic's keys with `fueki wallet import`.
    ///
    /// - Parameter passphrase: the mnemonic's passphrase.
    init(importing words: String, passphrase: String? = nil, account: Int, chain: String = "bitcoin") throws {
        let fueki = try FuekiCommand()
        try fueki.folder.write("correct horse battery staple\n", to: "passphrase")
        try fueki.folder.write(words + "\n", to: "words")
        var command = [
            "wallet", "import", "old", "--network", "regtest", "--chain", chain, "--account", "\(account)",
            "--mnemonic-file", "words", "--backup-dir", "backup", "--recovery-dir", "recovery", "--passphrase-file",
            "passphrase",
        ]
        if let passphrase {
            try fueki.folder.write(passphrase + "\n", to: "words-passphrase")
            command += ["--mnemonic-passphrase-file", "words-passphrase"]
        }
        description = try fueki.json(command)
        self.fueki = fueki
        name = "old"
    }

    var folder: String { fueki.folder.path }

    /// The path of a share's file.
    func share(_ location: String) throws -> String {
        guard let share = description.shares.first(where: { $0.location == location }) else {
            throw CocoaError(.fileNoSuchFile)
        }
        return share.path
    }

    borrowing func address(_ index: Int = 0, change: Bool = false, type: String = "taproot") throws -> Address {
        try fueki.json(["address", name, "--index", "\(index)", "--type", type] + (change ? ["--change"] : []))
    }

    /// The key of an address, derived by embit from the wallet's.
    func key(of address: Address) -> Embit.Key { Embit.Key(groupXOnly: description.taproot_xonly, path: address.path) }

    /// The same as ``key(of:)``, for a SegWit address.
    func segwitKey(of address: Address) -> Embit.Key {
        Embit.Key(groupPoint: description.ecdsa_public_key, path: address.path)
    }

    /// A coin at an address on no chain: enough for everything except a node.
    func inventedCoin(at address: Address, value: Int64 = 5_000_000_000) -> Coin {
        Coin(txid: String(repeating: "5a", count: 32), vout: 1, value: value, scriptPubKey: address.script_pubkey)
    }

    /// Runs `fueki psbt sign`.
    borrowing func sign(
        _ psbt: String = "payment.psbt", with shares: String, to output: String = "signed.psbt",
        passphraseFile: String = "passphrase", confirmation: [String] = ["--yes"]
    ) throws -> Program.Outcome {
        try fueki.run(
            ["psbt", "sign", name, psbt, "-o", output, "--with", shares, "--passphrase-file", passphraseFile]
                + confirmation)
    }

    /// Signs `payment.psbt`, finalises it, and returns the transaction (hex).
    borrowing func transaction(signedWith shares: String) throws -> String {
        for name in ["signed.psbt", "transaction.hex"] {
            try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
        try succeed(try sign(with: shares))
        try succeed(try fueki.run("psbt", "finalize", "signed.psbt", "-o", "transaction.hex"))
        return try fueki.folder.read("transaction.hex").trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Waits until a proposal that a policy delays can be signed. The command reads the system's clock.
    borrowing func waitUntilSignable() throws {
        try Patience.block(for: "the end of a policy's delay") {
            let list = try fueki.run("pending", "list", name, "--passphrase-file", "passphrase")
            return list.output.contains("can be signed now")
        }
    }

    /// The names of the files in ``folder``.
    var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] }

    private func succeed(_ outcome: Program.Outcome) throws {
        guard outcome.isSuccess else {
            throw Program.Failure.failed(program: "fueki", status: outcome.status, errors: outcome.errors)
        }
    }
}

/// A payee: an output that no wallet here owns.
enum Bob {
    static let scriptPubKey = "5120" + String(repeating: "0", count: 63) + "1"
    static let address = "bcrt1pqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqsws5gfa"
}
