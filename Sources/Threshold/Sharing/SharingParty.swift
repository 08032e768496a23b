package import Curves

extension Sharing {
    /// One host key's part in a session: a dealer, a receiver, or both.
    public struct Party: Hashable, Comparable, Sendable {
        /// The place among all parties, from 1: dealers come first.
        public let number: Int
        /// Its number among the holders of what is dealt, if it deals.
        public let dealer: ParticipantIndex?
        /// Its number among the holders of what comes out, if it receives.
        public let receiver: ParticipantIndex?

        public static func < (left: Party, right: Party) -> Bool { left.number < right.number }
    }

    /// What a participant introduces itself with.
    package struct Member<Group: Curve>: Equatable, Sendable {
        package let hostKey: Group.Point
        /// 32 bytes, chosen for this session, so that none is ever repeated.
        package let nonce: [UInt8]

        package init(hostKey: Group.Point, nonce: [UInt8]) {
            self.hostKey = hostKey
            self.nonce = nonce
        }
    }
}
