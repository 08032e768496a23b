public import Amounts

/// A permission to take tokens that is given by a signature, not by a transaction: whoever has it can use it.
///
/// One value for all standards, on a chain (in the arguments of a call) and off it (as typed data): who may take what, and
/// until when.
public struct TokenPermit: Hashable, Sendable {
    /// The standard that the permission follows.
    public enum Standard: Hashable, Sendable {
        /// EIP-2612.
        case permit
        /// The one of DAI, which was before it: all or nothing.
        case dai
        /// Permit2: an allowance that lasts until it ends.
        case permit2Allowance
        /// Permit2: one transfer.
        case permit2Transfer
        /// Permit2: one transfer, bound to other data, which this wallet does not understand.
        case permit2WitnessTransfer
    }

    /// What may be taken.
    public struct Grant: Hashable, Sendable {
        /// Nil in a call to the token's own contract.
        public let token: EthereumAddress?
        /// The amount that may be taken.
        public let amount: Allowance
        /// In seconds since 1970; nil if only the signature has an end. Zero means never with DAI, and at once with Permit2.
        public let expiration: UInt256?
    }

    /// Whose form it has, which says what the other values mean.
    public let standard: Standard
    /// Nil in typed data, where it is who signs and is not said.
    public let owner: EthereumAddress?
    /// Nil in a call that makes the transfer at once: it is who calls.
    public let spender: EthereumAddress?
    /// The tokens, and how much of each may be taken.
    public let grants: [Grant]
    /// Nil in a call of EIP-2612, where the contract knows it.
    public let nonce: UInt256?
    /// Until when the signature can be used, in seconds since 1970; nil with DAI.
    public let deadline: UInt256?
}
