/// Where the key of an account comes from, as software says it that has the words: the key without a parent, by its
/// fingerprint, and the path from there. Only an account that was imported has one.
public struct AccountOrigin: Equatable, Sendable {
    /// Of the key without a parent. A hint, as every fingerprint.
    public let master: KeyFingerprint
    /// The path of the account below the master key.
    public let template: AccountTemplate

    /// Creates the origin of an account below the master key of this fingerprint.
    public init(master: KeyFingerprint, template: AccountTemplate) {
        self.master = master
        self.template = template
    }

    /// The whole path of an address: `m/84'/0'/0'/0/5`.
    public func path(to address: AddressPath) -> DerivationPath { template.path(to: address) }

    /// The address that a whole path leads to, if it goes through this account.
    package func address(at path: DerivationPath) -> AddressPath? {
        let own = template.path.steps
        guard path.steps.starts(with: own), let rest = try? DerivationPath(Array(path.steps.dropFirst(own.count)))
        else { return nil }
        return AddressPath(rest)
    }
}
