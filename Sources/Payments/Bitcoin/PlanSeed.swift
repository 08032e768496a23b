internal import Bitcoin
internal import Ceremonies
internal import Curves
internal import Custody
internal import Threshold

/// The seed of a plan's random choices, derived from the order: the same order gives the same transaction, so that
/// `--expect` signs the one shown before.
enum PlanSeed {
    /// Returns 32 bytes. They depend on the wallet's keys, which are not public: so the order of inputs and outputs
    /// reveals nothing to others.
    static func bytes(_ order: String, _ coins: [Coin], of wallet: WalletRecord) -> [UInt8] {
        let words = ["fueki/plan", order] + coins.map(\.outPoint.description)
        return SHA256.hash(Array(words.joined(separator: "\n").utf8) + wallet.keys.schnorr.publicKey.encoded)
    }
}
