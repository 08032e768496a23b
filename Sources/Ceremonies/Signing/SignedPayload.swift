public import Wallet

/// A payload with all its signatures, each verified.
public struct SignedPayload: Sendable {
    /// The signed payload.
    public let product: SigningProduct
    /// Errors after all signatures were made, which do not affect them; show them. Mostly ``CeremonyError/port(_:)`` of
    /// a ledger that could not be written: it counts this session as a failed one.
    public let warnings: [CeremonyError]
}
