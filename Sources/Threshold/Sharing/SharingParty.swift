package import Curves

extension Sharing {
    /// One host key's part in a session: a dealer, a receiver, or both.
    public struct Party: Hashable, Comparable, Sendable {
        /// The party's number, from 1: dealers come first.
        public let number: Int
        /// Its index among the dealers' shares; nil if it does not deal.
        public let dealer: ParticipantIndex?
        /// Its index among the new shares; nil if it does not receive.
        public let receiver: ParticipantIndex?

        public static func < (left: Party, right: Party) -> Bool { left.number < right.number }
    }

    /// The contents of a participant's introduction.
    package struct Member<Group: Curve>: Equatable, Sendable {
        package let hostKey: Group.Point
        /// A nonce of 32 bytes, chosen for this session, so that no session repeats.
        package let nonce: [UInt8]

        package init(hostKey: Group.Point, nonce: [UInt8]) {
            self.hostKey = hostKey
            self.nonce = nonce
        }
    }
}
