public import Amounts

/// A permission to take tokens that is given by a signature, not by a transaction. Anyone who has the signature can use
/// it.
///
/// One type for all standards, both in the arguments of a call and as typed data: the spender, the tokens, and the
/// deadline.
public struct TokenPermit: Hashable, Sendable {
    /// The standard that the permission follows.
    public enum Standard: Hashable, Sendable {
        /// EIP-2612.
        case permit
        /// DAI's own standard, older than EIP-2612: all or nothing.
        case dai
        /// Permit2: an allowance until its expiration.
        case permit2Allowance
        /// Permit2: one transfer.
        case permit2Transfer
        /// Permit2: one transfer, bound to other data that this wallet does not understand.
        case permit2WitnessTransfer
    }

    /// A token and the amount that may be taken.
    public struct Grant: Hashable, Sendable {
        /// The token; nil in a call to the token's own contract.
        public let token: EthereumAddress?
        /// The amount that may be taken.
        public let amount: Allowance
        /// The end of the allowance, in seconds since 1970; nil if only the signature has an end. Zero means no end
        /// with DAI, and an immediate end with Permit2.
        public let expiration: UInt256?
    }

    /// The standard, which defines the meaning of the other values.
    public let standard: Standard
    /// The owner of the tokens; nil in typed data, where it is the signer.
    public let owner: EthereumAddress?
    /// The spender; nil in a call that makes the transfer at once, where it is the caller.
    public let spender: EthereumAddress?
    /// The tokens, and how much of each may be taken.
    public let grants: [Grant]
    /// The nonce; nil in a call of EIP-2612, where the contract knows it.
    public let nonce: UInt256?
    /// The deadline of the signature, in seconds since 1970; nil with DAI.
    public let deadline: UInt256?
}
