/// The origin of an imported account's key: the fingerprint of the mnemonic's master key, and the path from there.
public struct AccountOrigin: Equatable, Sendable {
    /// The master key's fingerprint. It is a hint, not a proof.
    public let master: KeyFingerprint
    /// The path of the account below the master key.
    public let template: AccountTemplate

    /// Creates the origin of an account below the master key of this fingerprint.
    public init(master: KeyFingerprint, template: AccountTemplate) {
        self.master = master
        self.template = template
    }

    /// Returns the whole path of an address: `m/84'/0'/0'/0/5`.
    public func path(to address: AddressPath) -> DerivationPath { template.path(to: address) }

    /// Returns the address at a whole path, if it goes through this account.
    package func address(at path: DerivationPath) -> AddressPath? {
        let own = template.path.steps
        guard path.steps.starts(with: own), let rest = try? DerivationPath(Array(path.steps.dropFirst(own.count)))
        else { return nil }
        return AddressPath(rest)
    }
}
