internal import Bitcoin
internal import Ceremonies
internal import Curves
internal import Custody
internal import Threshold
internal import Wallet

/// What chance decides in a plan, made from what is ordered: the same order gives the same transaction, so that `--expect` signs
/// what was shown before.
enum PlanSeed {
    /// 32 bytes. The wallet's keys are in them, which are no public knowledge: the order of inputs and outputs tells nobody anything.
    static func bytes(_ order: String, _ coins: [Coin], of wallet: WalletRecord) -> [UInt8] {
        let words = ["fueki/plan", order] + coins.map(\.outPoint.description)
        return SHA256.hash(Array(words.joined(separator: "\n").utf8) + wallet.keys.schnorr.publicKey.encoded)
    }
}
