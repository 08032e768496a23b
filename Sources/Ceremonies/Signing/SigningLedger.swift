public import Threshold

/// A participant's durable record of its ECDSA sessions: bans, unfinished sessions, and failed signatures. A share file
/// is one.
///
/// The result of the check of an oblivious transfer can reveal to a cheating peer some bits of the secret of the two in
/// common. A stored ban ends that. Therefore a session is charged before it examines the first such message of a peer:
/// an attacker who repeatedly kills the process between check and ban, or restores older files, runs out of attempts.
/// Failures before that, such as a dropped connection or a refusal, cost nothing.
///
/// Several participants of one share may use it at once. A ban by one of them ends the sessions of all with that peer,
/// because they continue with copies of the data that the ban destroys.
///
/// Each change is durable on the disk when its call returns; an error stops the signing.
public protocol SigningLedger: Sendable {
    /// Begins a session. Nothing is counted yet.
    ///
    /// - Parameter signers: all signers.
    /// - Returns: the attempt that identifies the session from now on.
    /// - Throws: ``CeremonyError/port(_:)`` if no more attempts are allowed, or nothing can be recorded;
    ///   ``CeremonyError/threshold(_:)`` with `ThresholdError.banned(_:)`.
    func begin(with signers: [ParticipantIndex]) async throws(CeremonyError) -> SigningAttempt

    /// Counts a session, at the first call for it: before a peer's oblivious transfer is examined. It stays counted
    /// until ``refund(_:)`` or ``fail(_:)``.
    ///
    /// - Throws: as ``begin(with:)`` and ``check(_:)``. Then nothing is counted, and nothing may be examined.
    func charge(_ attempt: SigningAttempt) async throws(CeremonyError)

    /// Checks whether the session may continue. Call it before each of its messages leaves.
    ///
    /// - Throws: ``CeremonyError/threshold(_:)`` with `ThresholdError.banned(_:)` if a signer was banned after the session
    ///   began.
    func check(_ attempt: SigningAttempt) async throws(CeremonyError)

    /// Ends a session, and takes its count back: all oblivious transfers that were examined were right, and it made its
    /// signatures or was given up before its partial signature left.
    func refund(_ attempt: SigningAttempt) async throws(CeremonyError)

    /// Ends a session whose signature failed although every check passed, and counts it as a failed signature instead.
    func fail(_ attempt: SigningAttempt) async throws(CeremonyError)

    /// Destroys the share's data about a peer that cheated, for ever, and ends all sessions with it.
    func ban(_ peer: ParticipantIndex) async throws(CeremonyError)
}

/// One ECDSA session of a ``SigningLedger``. Its participant keeps the attempt while the session runs: a session that
/// ends without ``SigningLedger/refund(_:)`` or ``SigningLedger/fail(_:)`` releases its attempt, and stays counted.
///
/// It is a class, so that the ledger notices when the attempt is released, also with its participant.
public final class SigningAttempt: Sendable {
    /// The number of the session, unique in its ledger.
    public let number: Int
    /// The participants that sign together.
    public let signers: [ParticipantIndex]

    /// Creates an attempt.
    public init(number: Int, signers: [ParticipantIndex]) {
        self.number = number
        self.signers = signers
    }
}
