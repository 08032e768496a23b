extension Sharing {
    /// What stops the making and moving of shares, beside what stops any protocol of this module. Blame is data.
    public enum Fault: Equatable, Sendable {
        /// The introduction of this dealer or receiver is none.
        case invalidIntroduction(of: Role)
        /// One host key is given twice among the dealers or the receivers, or with different nonces.
        case duplicateHostKey(of: Role, and: Role)
        /// The bytes were made for a key of another purpose: Schnorr, ECDSA or Ed25519.
        case wrongPurpose
        /// The message belongs to another session.
        case wrongSession
        /// The message names another sender than the one it came from.
        case wrongSender
        /// The secret host key belongs to no party of the session, or not to the one that began it.
        case foreignHostKey
        /// The session was made with another introduction of this host key: an old one, or one of somebody else.
        case foreignIntroduction
        /// This party is to deal something else than it was given, or nothing, or has no share here.
        case wrongRole
        /// The random source gave nothing but zeros.
        case brokenRandomness
        /// The coordinator broke the protocol.
        case coordinator
        /// This dealer broke the protocol in this way. If a participant says so, it may be the coordinator who makes it look
        /// so.
        case suspect(Party, Offence)
        /// These parties sent to the coordinator what is no message of theirs in this session.
        case faulty([Party])
        /// This party sent nothing.
        case missing(Party)
        /// This party belongs to another session, or has nothing to send here.
        case unknown(Party)
        /// The recovery data is not signed by all parties.
        case invalidCertificate
    }

    /// How a dealer broke the protocol.
    public enum Offence: Equatable, Sendable {
        /// It opened its commitment to something else.
        case commitment
        /// What it dealt cannot be read.
        case malformed
        /// Its polynomial has more or fewer coefficients than the threshold.
        case degree
        /// It does not show that it knows the coefficient of this power.
        case proof(power: Int)
        /// It deals something else than its old share, or than the key to be imported.
        case constant
        /// Its share for this participant does not lie on its polynomial.
        case share
    }

    /// A place in a session before its parties are known.
    public enum Role: Hashable, Sendable {
        /// By its number among the holders of the old shares, or of a new key.
        case dealer(ParticipantIndex)
        /// By its number among the holders of the new shares.
        case receiver(ParticipantIndex)
    }
}
