public import AuthAPI

/// What is to happen when a refresh token is presented.
public enum RefreshDecision: Sendable {
    /// Write the next state, if generation and current hash in the store are still those of the state that was read and it is
    /// not revoked; then answer with the successor. If nothing was written somebody was first: read again, decide again.
    case rotate(RefreshFamily, successor: RefreshToken)
    /// Write nothing; answer with this token, as before.
    case repeatSuccessor(RefreshToken)
    /// Write nothing: too many rotations in one window. The token stays good.
    case slowDown(until: Timestamp)
    /// Write nothing: the family is at its end.
    case expired(Expiry)
    /// Write nothing: the family was ended before.
    case revoked(RefreshFamily.Revocation)
    /// Write the state, which is revoked, and raise an event.
    case reuse(Reuse, RefreshFamily)

    /// Which of its two ends the family has come to.
    public enum Expiry: String, Sendable {
        /// The session was not used for too long.
        case idle
        /// The session has reached its longest duration.
        case absolute
    }

    /// What a token that must not be presented says about who does it.
    public enum Reuse: String, Sendable, CaseIterable {
        /// A token that was redeemed a while ago, by the right device: a copy of the device's storage, or a client with a fault.
        case recent
        /// An older token, by the right device.
        case stale
        /// Any token of the family, by another key: it was stolen.
        case otherKey = "other_key"
        /// A token that the row has not come to: the store was put back to an older state.
        case ahead
    }
}
