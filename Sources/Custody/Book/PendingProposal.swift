public import Wallet

/// Something that waits to be signed: for a time to pass, or for somebody to approve it.
public struct PendingProposal: Equatable, Sendable {
    public let payload: SigningPayload
    /// ``Intent/digest``.
    public let digest: [UInt8]
    /// In seconds since 1970. A delay counts from then.
    public let firstProposed: UInt64
    /// The order that it is an attempt at; nil for what nobody ordered as a payment.
    public let order: OrderIdentity?
}
