import TestSupport
import Testing

extension FuekiCommand {
    /// Makes the wallet `savings`, whose passphrase is in the file `passphrase`, which only its owner can read.
    borrowing func makeSavings(on network: String = "regtest") throws {
        try folder.write("correct horse battery staple\n", to: "passphrase")
        _ = try Program.run("/bin/chmod", ["600", "\(folder.path)/passphrase"])
        let made = try run(
            "wallet", "create", "savings", "--network", network, "--backup-dir", "backup", "--passphrase-file",
            "passphrase")
        #expect(made.isSuccess, "\(made.errors)")
    }
}
