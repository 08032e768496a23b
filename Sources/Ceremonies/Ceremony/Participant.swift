/// A holder of one share, seen from outside: something that answers messages.
///
/// The port between a ceremony's coordinator and its parties. A participant may live in this process, in another, or on another
/// machine; nothing but bytes goes between them.
public protocol Participant: Sendable {
    /// The x coordinate of the share, 1 to 15.
    var index: Int { get }

    /// Answers one message of a ceremony. The same bytes as before get the same answer, without a step being taken twice.
    ///
    /// A message of another session, sender or kind than the participant waits for, that does not parse, that a peer did not seal, or that
    /// asks to sign something else than was agreed on, is refused, and the ceremony goes on with the right one. What is found wrong
    /// only by taking the step ends the ceremony for this participant.
    ///
    /// - Throws: ``CeremonyError/malformedMessage``, ``CeremonyError/staleMessage``, ``CeremonyError/notWhatWasConfirmed``,
    ///   ``CeremonyError/refused(_:)``, ``CeremonyError/wrongNumberOfShares(needed:given:)``, ``CeremonyError/wallet(_:)``,
    ///   ``CeremonyError/threshold(_:)``, ``CeremonyError/port(_:)``.
    func answer(_ message: [UInt8]) async throws(CeremonyError) -> [UInt8]
}
