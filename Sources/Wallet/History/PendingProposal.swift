/// A proposal that waits for a delay to end or for an approval.
public struct PendingProposal: Equatable, Sendable {
    /// The payload to be signed.
    public let payload: SigningPayload
    /// The digest of its intent: `Intent.digest`.
    public let digest: [UInt8]
    /// The time when it was first proposed, in seconds since 1970. Its delay counts from then.
    public let firstProposed: UInt64
    /// The order that the payload is an attempt at; nil if no payment was ordered.
    public let order: OrderIdentity?

    package init(_ payload: SigningPayload, digest: [UInt8], firstProposed: UInt64, order: OrderIdentity?) {
        self.payload = payload
        self.digest = digest
        self.firstProposed = firstProposed
        self.order = order
    }
}
