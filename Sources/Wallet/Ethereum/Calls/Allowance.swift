/// How much of a token somebody may take.
public struct Allowance: Hashable, Sendable {
    public let value: UInt256
    /// Bits of the number in the contract: 256, or 160 with Permit2.
    public let bits: Int

    public init(_ value: UInt256, bits: Int = 256) {
        self.value = value
        self.bits = bits
    }

    /// Whether it is the greatest number that there is room for, which contracts never count down.
    public var isUnlimited: Bool { (try? value.adding(.one))?.bitWidth ?? 257 > bits }
}
