internal import Secrets
internal import SecureStorage

/// Rekeys a vault once, and reports it: `acknowledged 1`.
struct RekeyWrite {
    static let usage = "rekey VAULT PASSPHRASE NEW-PASSPHRASE"

    private let vault: String
    private let passphrase: String
    private let newPassphrase: String

    init?(_ arguments: [String]) {
        guard arguments.count == 3 else { return nil }
        (vault, passphrase, newPassphrase) = (arguments[0], arguments[1], arguments[2])
    }

    func run() async -> Int32 {
        do {
            let vault = try VaultFile.open(
                at: vault, passphrase: secret(passphrase), freshness: .unchecked, random: SystemRandom())
            say("opened")
            try await vault.rekey(to: secret(newPassphrase))
            say("acknowledged 1")
            await vault.close()
            say("closed")
            return 0
        } catch {
            say("refused \(error)")
            return 1
        }
    }

    private func secret(_ text: String) -> SecretBytes {
        var bytes = [UInt8](text.utf8)
        return SecretBytes(moving: &bytes)
    }
}
