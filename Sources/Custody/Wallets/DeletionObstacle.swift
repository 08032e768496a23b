/// A reason to keep a wallet that was to be deleted. Nothing is deleted while an obstacle exists that the caller has not accepted.
public enum DeletionObstacle: Hashable, Sendable {
    /// The remaining share files that can be reached are fewer than the threshold: without the others the coins are
    /// lost.
    case tooFewShares(there: Int, needed: Int)
    /// This number of signed transactions are not in a block yet, or had no answer.
    case openPayments(Int)
    /// The results of this number of payments were never acknowledged: the same orders would be paid again.
    case unacknowledged(Int)
    /// This number of proposals wait to be signed.
    case proposals(Int)
    /// A renewal was interrupted, and has not been cleaned up.
    case unfinishedRenewal
    /// The wallet's folder has files that are not the wallet's: their paths. They must be moved first; this
    /// obstacle cannot be accepted.
    case foreignFiles([String])
}
