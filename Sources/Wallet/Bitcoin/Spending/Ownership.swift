/// Tells which scripts are the wallet's own, by deriving them. What a PSBT claims only says where to look first.
///
/// Making one derives the scanned addresses, which takes some ten milliseconds: keep it for more than one PSBT.
public struct Ownership: Sendable {
    public let network: Network
    let account: TaprootAccount?
    /// The addresses of each chain that are found without a claim: indices 0..<`scannedCount`.
    public let scannedCount: UInt32
    private let scanned: [ScriptPubKey: AddressPath]

    /// - Parameter scanning: how many addresses of each chain are looked at where a PSBT makes no claim.
    /// - Throws: ``WalletError/badKey`` for an index that has no key, which is less likely than 2⁻¹²⁷.
    public init(
        of account: TaprootAccount, scanning count: UInt32 = WalletLimits.scannedAddresses
    ) throws(WalletError) {
        self.account = account
        network = account.network
        scannedCount = count
        var scanned: [ScriptPubKey: AddressPath] = [:]
        for chain in AddressPath.Chain.allCases {
            for index in 0..<count {
                let path = try AddressPath(chain, index: index)
                scanned[try account.key(at: path).scriptPubKey] = path
            }
        }
        self.scanned = scanned
    }

    private init(nobodyOn network: Network) {
        account = nil
        self.network = network
        scannedCount = 0
        scanned = [:]
    }

    /// Owns nothing: to look at a PSBT without a wallet. A summary for it is always refused.
    public static func nobody(on network: Network) -> Ownership { Ownership(nobodyOn: network) }

    /// What deriving says about a script.
    struct Verdict {
        /// The key that the script pays to, if it is ours.
        var key: DerivedTaprootKey?
        /// Whether a claim names our key and does not lead to the script.
        var isFalselyClaimed = false
    }

    func verdict(on script: ScriptPubKey, claims: [TaprootDerivation]) -> Verdict {
        var verdict = Verdict()
        guard let account else { return verdict }
        let fingerprint = account.key.fingerprint
        for claim in claims where claim.fingerprint == fingerprint {
            if let key = key(claim, in: account), key.scriptPubKey == script {
                verdict.key = key
            } else {
                // One is enough, and no more are derived: a PSBT can hold thousands.
                verdict.isFalselyClaimed = true
                break
            }
        }
        if verdict.key == nil, let path = scanned[script] { verdict.key = try? account.key(at: path) }
        return verdict
    }

    /// The key that a claim speaks of, derived; nothing if the claim cannot be true.
    private func key(_ claim: TaprootDerivation, in account: TaprootAccount) -> DerivedTaprootKey? {
        guard claim.leafCount == 0, let path = AddressPath(claim.path), let key = try? account.key(at: path),
            key.internalKey == claim.key
        else { return nil }
        return key
    }
}
