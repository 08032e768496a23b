public import Threshold

/// What a holder writes down about its ECDSA signatures, so that it holds after a restart: which peers are banned, and how
/// many sessions came to nothing. ``ShareFile`` is one.
///
/// Each call returns when what it says is on the disk to stay; what throws stops the signing.
public protocol SigningLedger: Sendable {
    /// Counts a session that begins. One that never ends well stays counted.
    ///
    /// - Throws: ``CustodyError/tooManyUnfinishedSignatures(_:limit:)`` when nothing may be tried any more.
    func begin() async throws(CustodyError)

    /// Takes the count back: all ECDSA signatures of the session were verified.
    func succeeded() async throws(CustodyError)

    /// Destroys what the share keeps of a peer that has cheated, for good.
    func ban(_ peer: ParticipantIndex) async throws(CustodyError)
}

extension ShareFile: SigningLedger {}
