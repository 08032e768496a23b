public import Threshold

/// What a holder writes down about its ECDSA signatures, so that it holds after a restart: which peers are banned, and how
/// many sessions came to nothing. ``ShareFile`` is one.
///
/// Several holders of one share may have it at once. A ban by one of them ends the sessions of all with that peer: they go on
/// with copies of what the ban destroys.
///
/// Each call returns when what it says is on the disk to stay; what throws stops the signing.
public protocol SigningLedger: Sendable {
    /// Counts a session that begins. One that never ends well stays counted.
    ///
    /// - Parameter signers: all of them.
    /// - Returns: what the session is known by from now on.
    /// - Throws: ``CustodyError/tooManyUnfinishedSignatures(_:limit:)`` when nothing may be tried any more;
    ///   ``CustodyError/ceremony(_:)`` with ``ThresholdError/banned(_:)``.
    func begin(with signers: [ParticipantIndex]) async throws(CustodyError) -> SigningTicket

    /// Asked before each message of a session leaves.
    ///
    /// - Throws: ``CustodyError/ceremony(_:)`` with ``ThresholdError/banned(_:)`` if a signer was banned after the session
    ///   began.
    func check(_ ticket: SigningTicket) async throws(CustodyError)

    /// Takes the count of a session back, once: all of its ECDSA signatures were verified.
    func succeeded(_ ticket: SigningTicket) async throws(CustodyError)

    /// Destroys what the share keeps of a peer that has cheated, for good, and ends all sessions with it.
    func ban(_ peer: ParticipantIndex) async throws(CustodyError)
}

/// One session of ECDSA that a ``SigningLedger`` has counted.
public struct SigningTicket: Hashable, Sendable {
    /// Unlike that of every other session of the same ledger.
    let number: Int
    let signers: [ParticipantIndex]
}

extension ShareFile: SigningLedger {}
