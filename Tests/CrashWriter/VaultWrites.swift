internal import Secrets
internal import SecureStorage

/// Writes two items of a vault repeatedly, and reports each stored write: `acknowledged N`.
///
/// Every second write changes both, and replaces one of them by a new item; the others change one of them.
struct VaultWrites {
    static let usage = "vault VAULT COUNT"

    private let vault: String
    private let count: Int

    init?(_ arguments: [String]) {
        guard arguments.count == 2, let count = Int(arguments[1]) else { return nil }
        (vault, self.count) = (arguments[0], count)
    }

    func run() async -> Int32 {
        do {
            let vault = try VaultFile.open(
                at: vault, passphrase: secret("the writer's passphrase"), freshness: .unchecked,
                random: SystemRandom())
            let name = try ItemName(service: "test", account: "counter")
            say("opened")
            for number in 1...count {
                if number.isMultiple(of: 2) {
                    let twin = try ItemName(service: "test", account: "twin-\(number)")
                    let old = try await vault.names(in: "test").filter { $0 != name }
                    try await vault.saveAll(
                        [
                            UnsavedItem(secret("\(number)"), as: name, attributes: .critical(.other)),
                            UnsavedItem(secret("\(number)"), as: twin, attributes: .critical(.other)),
                        ], deleting: old)
                } else {
                    try await vault.save(secret("\(number)"), as: name, attributes: .critical(.other))
                }
                say("acknowledged \(number)")
            }
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
