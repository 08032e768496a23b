import TestSupport

extension FuekiCommand {
    private struct Description: Decodable {}

    /// Copies the wallet `savings`, whose passphrase is in the file `passphrase`: ``copyWallet(_:as:)``.
    borrowing func makeSavings(on network: String = "regtest") throws {
        _ = try copyWallet(["savings", "--network", network, "--backup-dir", "backup"], as: Description.self)
    }
}
