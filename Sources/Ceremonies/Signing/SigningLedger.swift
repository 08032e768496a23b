public import Threshold

/// What a participant writes down about its ECDSA signatures, so that it holds after a restart: which peers are banned, how many
/// sessions came to nothing, and how many signatures failed. The file of a share is one.
///
/// Whether the check of an oblivious transfer fails can tell a cheating peer some bits of what the two have in common. A ban ends
/// that, if it is stored. A session is therefore charged before it looks into the first such message of a peer: a process that
/// is killed between the check and the ban, again and again, or set back, runs out of tries. What comes before, a dropped line
/// or a refusal, is free.
///
/// Several holders of one share may have it at once. A ban by one of them ends the sessions of all with that peer: they go on
/// with copies of what the ban destroys.
///
/// What is written down is on the disk to stay when the call returns; what throws stops the signing.
public protocol SigningLedger: Sendable {
    /// Begins a session. Nothing is counted yet.
    ///
    /// - Parameter signers: all of them.
    /// - Returns: what the session is known by from now on.
    /// - Throws: ``CeremonyError/port(_:)`` when nothing may be tried any more, or nothing can be written down;
    ///   ``CeremonyError/threshold(_:)`` with `ThresholdError.banned(_:)`.
    func begin(with signers: [ParticipantIndex]) async throws(CeremonyError) -> SigningAttempt

    /// Counts a session, the first time that it is asked for: before a peer's oblivious transfer is looked into. It stays
    /// counted until ``refund(_:)`` or ``fail(_:)``.
    ///
    /// - Throws: as ``begin(with:)`` and ``check(_:)``. Nothing is counted then, and nothing may be looked into.
    func charge(_ attempt: SigningAttempt) async throws(CeremonyError)

    /// Asked before each message of a session leaves.
    ///
    /// - Throws: ``CeremonyError/threshold(_:)`` with `ThresholdError.banned(_:)` if a signer was banned after the session
    ///   began.
    func check(_ attempt: SigningAttempt) async throws(CeremonyError)

    /// Ends a session, and takes its count back: all oblivious transfers that were looked into were right, and it made its
    /// signatures or was given up before its part of one left.
    func refund(_ attempt: SigningAttempt) async throws(CeremonyError)

    /// Ends a session whose signature failed although every check passed: counts it among the failed ones instead.
    func fail(_ attempt: SigningAttempt) async throws(CeremonyError)

    /// Destroys what the share keeps of a peer that has cheated, for good, and ends all sessions with it.
    func ban(_ peer: ParticipantIndex) async throws(CeremonyError)
}

/// One session of ECDSA of a ``SigningLedger``. Its participant keeps the attempt as long as the session runs, and no longer: a session
/// that ends without ``SigningLedger/refund(_:)`` or ``SigningLedger/fail(_:)`` ends with its attempt, and stays counted.
///
/// A class, so that the ledger sees that the attempt is gone, also when its participant is.
public final class SigningAttempt: Sendable {
    /// Unlike that of every other session of the same ledger.
    public let number: Int
    /// The participants that sign together.
    public let signers: [ParticipantIndex]

    /// Creates an attempt.
    public init(number: Int, signers: [ParticipantIndex]) {
        self.number = number
        self.signers = signers
    }
}
