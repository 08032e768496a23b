public import Threshold

/// What a holder writes down about its ECDSA signatures, so that it holds after a restart: which peers are banned, and how
/// many signatures have failed.
///
/// Each call returns when what it says is on the disk to stay; what throws stops the signing.
public protocol SigningLedger: Sendable {
    /// Charges signatures that are begun now. One that never ends well stays charged.
    ///
    /// - Throws: ``CustodyError/tooManyFailedSignatures(_:limit:)`` when nothing may be tried any more.
    func begin(signatures count: Int) async throws(CustodyError)

    /// Takes the charge back: these signatures were verified.
    func succeeded(signatures count: Int) async throws(CustodyError)

    /// Destroys what the share keeps of a peer that has cheated, for good.
    func ban(_ peer: ParticipantIndex) async throws(CustodyError)
}
