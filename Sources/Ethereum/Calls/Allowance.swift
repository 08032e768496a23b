public import Amounts

/// The amount of a token that a spender may take.
public struct Allowance: Hashable, Sendable {
    /// The amount, in the smallest unit of the token.
    public let value: UInt256
    /// The size of the number in the contract: 256 bits, or 160 with Permit2.
    public let bits: Int

    /// Creates an allowance of a contract that stores it in `bits` bits.
    public init(_ value: UInt256, bits: Int = 256) {
        self.value = value
        self.bits = bits
    }

    /// Whether it is unlimited: at least the smallest number that some contract treats as unlimited.
    ///
    /// Contracts treat the greatest number that they can store as "all, and never count it down": 2^256 - 1, with
    /// Permit2 2^160 - 1, and 2^96 - 1 with tokens that count in 96 bits (UNI, COMP), to which applications give just
    /// that number. Others write 2^255, 2^128 - 1 or 2^112 - 1 to mean the same. The numbers between these exceed the
    /// supply of almost any token: 79 billion, with 18 decimals.
    public var isUnlimited: Bool { value >= EthereumLimits.unlimitedAllowance }
}
