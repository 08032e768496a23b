public import Ceremonies
public import Custody

/// Provides the participants of a share that is not a file on this machine, such as one that a guardian holds.
///
/// The participant decodes each payload itself, and asks its own authorizer: its owner's policy, limits and approvals.
public protocol ParticipantSource: Sendable {
    /// The place of the share.
    var location: ShareLocation { get }

    /// Checks that the share can sign, before a person reads and confirms.
    ///
    /// - Throws: ``Custody/CustodyError/share(_:_:)``, ``Custody/CustodyError/ceremony(_:)``.
    func requireReady() async throws(CustodyError)

    /// Returns a participant that signs one confirmed payload. Its `index` is that of ``location``.
    ///
    /// - Throws: ``Custody/CustodyError/share(_:_:)``, ``Custody/CustodyError/ceremony(_:)``.
    func participant(for payload: ConfirmedPayload) async throws(CustodyError) -> any Participant
}
