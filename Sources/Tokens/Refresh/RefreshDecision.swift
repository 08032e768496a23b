public import Time

/// The decision on a presented refresh token.
public enum RefreshDecision: Sendable {
    /// Write the next state, if the stored generation and hash are still those that were read and the family is not
    /// revoked; then respond with the successor. If nothing was written, another request was faster: read again, decide
    /// again.
    case rotate(RefreshFamily, successor: RefreshToken)
    /// Write nothing; respond with this token, as before.
    case repeatSuccessor(RefreshToken)
    /// Write nothing: there were too many rotations in one window. The token stays valid.
    case slowDown(until: Timestamp)
    /// Write nothing: the family has expired.
    case expired(Expiry)
    /// Write nothing: the family was revoked before.
    case revoked(RefreshFamily.Revocation)
    /// Write the state, which is revoked, and record a security event.
    case reuse(Reuse, RefreshFamily)

    /// The kind of expiry.
    public enum Expiry: String, Sendable {
        /// The session was not used for too long.
        case idle
        /// The session has reached its longest duration.
        case absolute
    }

    /// The kinds of reuse of a token.
    public enum Reuse: String, Sendable, CaseIterable {
        /// A token that was redeemed recently, by the right device: a copy of the device's storage, or a faulty client.
        case recent
        /// An older token, by the right device.
        case stale
        /// Any token of the family, with another key: it was stolen.
        case otherKey = "other_key"
        /// A token with a later generation than the row's: the store was restored to an older state.
        case ahead
    }
}
