internal import Foundation
internal import Synchronization

/// The homes that `fueki wallet create` made in this process, one for each list of arguments, for tests to copy: to make one takes
/// half a second of a processor.
private enum MadeWallets {
    /// A home, with the files around it.
    final class Made: Sendable {
        let path: String
        /// What the command printed.
        let output: String

        init(_ arguments: [String]) throws {
            let fueki = try FuekiCommand()
            let printed = try fueki.madeWallet(arguments)
            // The folder of the command ends with it.
            path = fueki.folder.path + "-made"
            try FileManager.default.moveItem(atPath: fueki.folder.path, toPath: path)
            output = printed.replacing(fueki.folder.path, with: path)
            try Self.rename(fueki.folder.path, to: path, in: path)
        }

        /// Writes the new place of the shares into the descriptions of wallets, which have it as plain text.
        static func rename(_ old: String, to new: String, in folder: String) throws {
            let wallets = "\(folder)/home/wallets"
            for name in try FileManager.default.contentsOfDirectory(atPath: wallets) {
                let file = "\(wallets)/\(name)/wallet.json"
                let text = try String(contentsOfFile: file, encoding: .utf8)
                try text.replacing(old, with: new).write(toFile: file, atomically: false, encoding: .utf8)
            }
        }
    }

    private static let made = Mutex<[[String]: Result<Made, any Error>]>([:])

    /// Shared values are never released, so their folders would stay.
    private static let removal = atexit {
        for case .success(let wallet) in made.withLock({ Array($0.values) }) {
            try? FileManager.default.removeItem(atPath: wallet.path)
        }
    }

    static func wallet(_ arguments: [String]) throws -> Made {
        _ = removal
        return try made.withLock { made in
            let wallet = made[arguments] ?? Result { try Made(arguments) }
            made[arguments] = wallet
            return wallet
        }.get()
    }
}

extension FuekiCommand {
    /// The passphrase of the wallets that ``copyWallet(_:as:)`` copies.
    public static let passphrase = "correct horse battery staple"
    /// The file with that passphrase, in ``folder``. Only its owner can read it.
    public static let passphraseFile = "passphrase"

    /// Makes a wallet with the passphrase in ``passphraseFile``, and returns what the command printed with `--json`.
    public borrowing func makeWallet<Description: Decodable>(
        _ arguments: [String], as type: Description.Type = Description.self
    ) throws -> Description {
        try JSONDecoder().decode(type, from: Data(madeWallet(arguments).utf8))
    }

    fileprivate borrowing func madeWallet(_ arguments: [String]) throws -> String {
        try folder.write(Self.passphrase + "\n", to: Self.passphraseFile)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: "\(folder.path)/\(Self.passphraseFile)")
        let ended = try run(
            ["wallet", "create"] + arguments + ["--passphrase-file", Self.passphraseFile, "--json"])
        guard ended.isSuccess else {
            throw Program.Failure.failed(program: "fueki wallet create", status: ended.status, errors: ended.errors)
        }
        return ended.output
    }

    /// Copies the wallet that `fueki wallet create` made for these arguments into the home and ``folder``, and returns what the
    /// command printed with `--json`. Each test with the same arguments has the same keys. The share files keep the
    /// places of the wallet that was made, which `fueki wallet restore` shows.
    ///
    /// - Parameter arguments: names of files are relative to ``folder``.
    public borrowing func copyWallet<Description: Decodable>(
        _ arguments: [String], as type: Description.Type = Description.self
    ) throws -> Description {
        let made = try MadeWallets.wallet(arguments)
        for name in try FileManager.default.contentsOfDirectory(atPath: made.path) {
            try FileManager.default.copyItem(atPath: "\(made.path)/\(name)", toPath: "\(folder.path)/\(name)")
        }
        try MadeWallets.Made.rename(made.path, to: folder.path, in: folder.path)
        return try JSONDecoder().decode(type, from: Data(made.output.replacing(made.path, with: folder.path).utf8))
    }
}
