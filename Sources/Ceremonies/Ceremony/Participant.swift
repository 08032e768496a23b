/// A participant as its coordinator sees it: it has one share of each key, and answers messages.
///
/// This is the port between a ceremony's coordinator and its participants. A participant may run in this process, in
/// another, or on another machine; only bytes go between them.
public protocol Participant: Sendable {
    /// The x coordinate of the share, 1 to 15.
    var index: Int { get }

    /// Answers one message of a ceremony. The same bytes as before get the same answer, without a step being taken twice.
    ///
    /// A message is refused if it has another session, sender or kind than expected, does not parse, was not sealed by
    /// a peer, or asks to sign something that was not agreed on. The ceremony then continues with the right
    /// message. An error that is found only by taking the step ends the ceremony for this participant.
    ///
    /// - Throws: ``CeremonyError/malformedMessage``, ``CeremonyError/staleMessage``, ``CeremonyError/notWhatWasConfirmed``,
    ///   ``CeremonyError/refused(_:)``, ``CeremonyError/wrongNumberOfShares(needed:given:)``, ``CeremonyError/wallet(_:)``,
    ///   ``CeremonyError/threshold(_:)``, ``CeremonyError/port(_:)``.
    func answer(_ message: [UInt8]) async throws(CeremonyError) -> [UInt8]
}
