public import Wallet

/// A payload that waits to be signed: for a time to pass, or for an approval.
public struct PendingProposal: Equatable, Sendable {
    /// What is to be signed.
    public let payload: SigningPayload
    /// ``Intent/digest``.
    public let digest: [UInt8]
    /// When it was first proposed, in seconds since 1970. A delay counts from then.
    public let firstProposed: UInt64
    /// The order that the payload is an attempt at; nil if no payment was ordered.
    public let order: OrderIdentity?
}
