public import Wallet

/// What was asked for, with all its signatures, each verified.
public struct SignedPayload: Sendable {
    /// What was asked for, with its signatures.
    public let product: SigningProduct
    /// What went wrong when all signatures were there, and takes nothing from them; show it. Mostly
    /// ``CeremonyError/port(_:)`` from a ledger that could not be written: what it counts as a session that came to nothing was none.
    public let warnings: [CeremonyError]
}
