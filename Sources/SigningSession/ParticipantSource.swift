public import Ceremonies
public import Custody

/// Provides the participants of a share that is not a file on this machine, such as one that a guardian holds.
///
/// The participant decodes each payload itself, and asks its own authorizer: its owner's policy, limits and approvals.
public protocol ParticipantSource: Sendable {
    /// The place of the share.
    var location: ShareLocation { get }

    /// Returns a participant that signs one confirmed payload. Its `index` is that of ``location``.
    ///
    /// It sends nothing before its first `answer`: the wallet's book has not admitted the payload yet, and only the
    /// rounds of the ceremony have deadlines.
    ///
    /// - Throws: `CustodyError.share(_:_:)`, `CustodyError.ceremony(_:)`.
    func participant(for payload: ConfirmedPayload) throws(CustodyError) -> any Participant
}
