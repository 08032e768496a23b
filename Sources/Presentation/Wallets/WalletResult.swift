package import Custody

/// The result of a command that changed a wallet: the wallet's public data, and the command's own members.
package struct WalletResult: Encodable {
    /// A share file that a renewal left behind, or found in place of a lost one.
    package struct LeftFile: Encodable {
        let location: String
        let path: String
    }

    package let wallet: WalletView
    /// The first address of a new wallet.
    package var firstAddress: String?
    /// The first address of each imported kind.
    package var addresses: [WalletAddress]?
    /// The warning that applies to every imported wallet.
    package var warning: String?
    /// The problems with the places of the shares.
    package var warnings: [String]?
    /// The old files that may still exist.
    package var remaining: [LeftFile]?
    /// The files in the places of lost shares that are not those shares.
    package var abandoned: [LeftFile]?
    /// The remaining work: `unfinished`, or `old_files` that still exist; null if nothing is left to do.
    package var renewal: String?
    /// The file of a renewal that is unknown to this machine.
    package var newer: String?
    /// The traces of a change of the passphrase that is not complete; nil for a wallet without traces.
    package var passphrase: PassphraseTraces?

    /// The traces of a change of the passphrase that is not complete.
    package struct PassphraseTraces: Encodable {
        /// A share that still opens with a passphrase from before.
        struct Behind: Encodable {
            let location: String
            let path: String
            /// Seconds since 1970.
            let since: Int64
        }

        /// The files that more than one passphrase may open.
        let interrupted: [String]
        let behind: [Behind]

        /// Creates the traces; nil for a wallet without traces.
        package init?(_ condition: PassphraseCondition) {
            guard !condition.interrupted.isEmpty || !condition.behind.isEmpty else { return nil }
            interrupted = condition.interrupted
            behind = condition.behind.map {
                Behind(location: $0.share.location.name, path: $0.share.path, since: $0.since)
            }
        }
    }

    package init(_ wallet: WalletView) { self.wallet = wallet }

    /// Creates the result of a renewal.
    package init(_ wallet: WalletView, _ outcome: WalletRenewal.Outcome, warnings: [String]) {
        self.wallet = wallet
        self.warnings = warnings
        remaining = outcome.remaining.map { LeftFile(location: $0.location.name, path: $0.path) }
        abandoned = outcome.abandoned.map { LeftFile(location: $0.location.name, path: $0.path) }
    }

    private enum CodingKeys: String, CodingKey {
        case warning, warnings, remaining, abandoned, renewal, passphrase
        case firstAddress = "first_address"
        case addresses = "first_addresses"
        case newer = "newer_file"
    }

    package func encode(to encoder: any Encoder) throws {
        try wallet.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(firstAddress, forKey: .firstAddress)
        try container.encodeIfPresent(addresses, forKey: .addresses)
        try container.encodeIfPresent(warning, forKey: .warning)
        try container.encodeIfPresent(warnings, forKey: .warnings)
        try container.encodeIfPresent(remaining, forKey: .remaining)
        try container.encodeIfPresent(abandoned, forKey: .abandoned)
        try container.encodeIfPresent(renewal, forKey: .renewal)
        try container.encodeIfPresent(newer, forKey: .newer)
        try container.encodeIfPresent(passphrase, forKey: .passphrase)
    }
}
