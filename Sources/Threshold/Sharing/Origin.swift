public import Curves

extension Sharing {
    /// Where the secret comes from that is shared.
    public enum Origin<Group: Curve>: Equatable, Sendable {
        /// From nowhere: each participant adds a random number, and nobody knows the sum.
        case fresh
        /// From shares of a key, at least as many as its threshold. The key stays, the shares are new, and do not work
        /// together with the old ones.
        case shares(of: GroupKey<Group>, epoch: Int)
        /// From one dealer, who has the secret of this key.
        ///
        /// - Warning: the key was whole in one place, and may be still: whoever copied it there has it. What moves to a new
        ///   key, made by shares, is safer.
        case whole(publicKey: Group.Point)

        /// How often the shares that come out were renewed.
        var resultingEpoch: Int {
            switch self {
            case .fresh, .whole: 0
            case .shares(_, let epoch): epoch + 1
            }
        }

        /// What the dealer must deal, in the exponent; nothing is prescribed for a fresh key.
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
