package import Custody
internal import ErrorTexts
package import SigningSession
internal import Texts

extension SigningEvent {
    /// Returns the event for the person who waits.
    package func telling(for wallet: WalletName) -> EventText {
        switch self {
        case .openingShare(let share):
            .step(StepText("opening the \(share.name) share", done: "opened the \(share.name) share"))
        case .shareWearsOut(let share, let counts):
            .note("warning: \(UnfinishedAdvice.sentence(on: counts, of: share, in: wallet) ?? "")")
        case .signing(let shares):
            .step(StepText("signing with \(Self.names(shares))", done: "signed with \(Self.names(shares))"))
        case .acknowledgementUnnoted(let error):
            .note(
                "warning: the wallet's book could not be told that this result was printed: \(error.failure.message)")
        }
    }

    private static func names(_ shares: [ShareLocation]) -> String {
        shares.map(\.name).joined(separator: " and ")
    }
}
