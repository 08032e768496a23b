public import Curves

extension Sharing {
    /// The origin of the secret that is shared.
    public enum Origin<Group: Curve>: Equatable, Sendable {
        /// A new key: each participant adds a random number, and the sum stays unknown.
        case fresh
        /// At least a threshold of a key's shares. The key stays; the new shares do not work together with the old
        /// ones.
        case shares(of: GroupKey<Group>, epoch: Int)
        /// A whole key, whose secret one dealer has.
        ///
        /// - Warning: The key was whole in one place, and may still be: anyone who copied it there has it. A new key,
        ///   made in shares, is safer.
        case whole(publicKey: Group.Point)

        /// The epoch of the new shares.
        var resultingEpoch: Int {
            switch self {
            case .fresh, .whole: 0
            case .shares(_, let epoch): epoch + 1
            }
        }

        /// Returns the point of the number that the dealer must deal; nil for a fresh key, where it is free.
        func constant(of dealer: ParticipantIndex, among dealers: [ParticipantIndex]) -> Group.Point? {
            switch self {
            case .fresh: nil
            case .shares(let group, _):
                group.verificationShares[dealer.value - 1].multipliedVariableTime(
                    by: Lagrange.coefficient(of: dealer, among: dealers))
            case .whole(let publicKey): publicKey
            }
        }
    }
}
