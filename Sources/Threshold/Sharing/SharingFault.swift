extension Sharing {
    /// The errors of sharing, beside those of all protocols in this module. Blame is data.
    public enum Fault: Equatable, Sendable {
        /// The introduction of this dealer or receiver is invalid.
        case invalidIntroduction(of: Role)
        /// One host key is given twice among the dealers or the receivers, or with different nonces.
        case duplicateHostKey(of: Role, and: Role)
        /// The bytes were made for a key of another purpose: Schnorr, ECDSA or Ed25519.
        case wrongPurpose
        /// The message belongs to another session.
        case wrongSession
        /// The message names another sender than the one that it came from.
        case wrongSender
        /// The secret host key belongs to no party of the session, or not to the one that began it.
        case foreignHostKey
        /// The session was made with another introduction of this host key: an old or a forged one.
        case foreignIntroduction
        /// This party is to deal something other than its input, or nothing, or has no share here.
        case wrongRole
        /// The random source returned only zeros.
        case brokenRandomness
        /// The coordinator broke the protocol.
        case coordinator
        /// This dealer broke the protocol in this way. If a participant says so, the coordinator may be the one that
        /// makes it look so.
        case suspect(Party, Offence)
        /// These parties sent the coordinator messages that are invalid in this session.
        case faulty([Party])
        /// This party sent nothing.
        case missing(Party)
        /// This party belongs to another session, or has nothing to send in this step.
        case unknown(Party)
        /// The recovery data is not signed by all parties.
        case invalidCertificate
    }

    /// The ways in which a dealer breaks the protocol.
    public enum Offence: Equatable, Sendable {
        /// It opened its commitment to other values.
        case commitment
        /// Its dealing cannot be read.
        case malformed
        /// Its polynomial has more or fewer coefficients than the threshold.
        case degree
        /// It does not prove that it knows the coefficient of this power.
        case proof(power: Int)
        /// It deals something other than its old share, or than the key to be imported.
        case constant
        /// Its share for this participant is not on its polynomial.
        case share
    }

    /// A place in a session before its parties are known.
    public enum Role: Hashable, Sendable {
        /// A dealer, by its index among the participants of the old shares, or of a new key.
        case dealer(ParticipantIndex)
        /// A receiver, by its index among the participants of the new shares.
        case receiver(ParticipantIndex)
    }
}
