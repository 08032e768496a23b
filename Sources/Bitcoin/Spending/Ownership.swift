public import HDKeys

/// Determines which scripts are the wallet's own, by deriving them. A PSBT's claims only say where to look first.
///
/// Creating one derives the scanned addresses, which takes some ten milliseconds: use it for more than one PSBT.
public struct Ownership: Sendable {
    /// The network of the wallet.
    public let network: Network
    let accounts: BitcoinAccounts?
    /// The addresses of each chain that are found without a claim: indices 0..<`scannedCount`.
    public let scannedCount: UInt32
    private let scanned: [ScriptPubKey: DerivedKey]
    private let fingerprints: [KeyFingerprint]
    private let origins: [AccountOrigin]

    /// Derives the scripts of the wallet's addresses.
    ///
    /// - Parameters:
    ///   - count: the number of addresses of each chain that are scanned without a PSBT's claim.
    ///   - further: further addresses that are scanned.
    /// - Throws: `HDKeyError.badKey` for an index that has no key, which is less likely than 2⁻¹²⁷.
    public init(
        of accounts: BitcoinAccounts, scanning count: UInt32 = BitcoinLimits.scannedAddresses,
        and further: [AddressPath] = []
    ) throws(HDKeyError) {
        self.accounts = accounts
        network = accounts.network
        scannedCount = count
        var scanned: [ScriptPubKey: DerivedKey] = [:]
        for chain in AddressPath.Chain.allCases {
            for index in 0..<count {
                for key in try accounts.keys(at: try AddressPath(chain, index: index)) {
                    scanned[key.scriptPubKey] = key
                }
            }
        }
        for path in further {
            for key in try accounts.keys(at: path) { scanned[key.scriptPubKey] = key }
        }
        self.scanned = scanned
        fingerprints = [accounts.taproot.key.fingerprint] + (accounts.segwit.map { [$0.key.fingerprint] } ?? [])
        origins = [accounts.taproot.origin, accounts.segwit?.origin].compactMap(\.self)
    }

    private init(nobodyOn network: Network) {
        accounts = nil
        self.network = network
        scannedCount = 0
        scanned = [:]
        fingerprints = []
        origins = []
    }

    /// Returns an ownership of nothing, to examine a PSBT without a wallet. A summary for it is always refused.
    public static func nobody(on network: Network) -> Ownership { Ownership(nobodyOn: network) }

    /// Returns the key that a script pays to, if it is the wallet's and among the scanned addresses.
    public func key(for script: ScriptPubKey) -> DerivedKey? { scanned[script] }

    /// The result of deriving a script.
    struct Verdict {
        /// The wallet's key that the script pays to; nil if it is not the wallet's.
        var key: DerivedKey?
        /// Whether a claim names a key of the wallet and does not give the script.
        var isFalselyClaimed = false
    }

    func verdict(on script: ScriptPubKey, claims: [KeyClaim]) -> Verdict {
        var verdict = Verdict()
        guard let accounts else { return verdict }
        for claim in claims where isOfOurs(claim) {
            if let key = claim.key(in: accounts), key.scriptPubKey == script {
                verdict.key = key
            } else {
                // One is enough, and no more are derived: a PSBT can contain thousands.
                verdict.isFalselyClaimed = true
                break
            }
        }
        verdict.key = verdict.key ?? scanned[script]
        return verdict
    }

    /// Returns whether a claim names one of the wallet's accounts, by its own fingerprint or by its origin. The same
    /// mnemonic has other accounts, too, which are not the wallet's.
    private func isOfOurs(_ claim: KeyClaim) -> Bool {
        fingerprints.contains(claim.fingerprint) || origins.contains { $0.covers(claim) }
    }
}
