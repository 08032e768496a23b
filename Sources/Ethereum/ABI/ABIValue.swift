public import Amounts

/// A value of a contract's interface.
public indirect enum ABIValue: Hashable, Sendable {
    /// An unsigned whole number.
    case uint(UInt256)
    /// A signed whole number.
    case int(Int256)
    /// A truth value.
    case bool(Bool)
    /// An address of 20 bytes.
    case address(EthereumAddress)
    /// Bytes of the size that the type fixes, or of any size.
    case bytes([UInt8])
    /// Text in UTF-8.
    case string(String)
    /// An array of values of one type.
    case array([ABIValue])
    /// A tuple of values.
    case tuple([ABIValue])
}

/// The encoding of values for a contract (Solidity, "Contract ABI Specification"). Of the forms that contracts would
/// accept, only the one that compilers write is read.
public enum ABI {
    /// An error in encoded values.
    public enum Fault: Hashable, Sendable {
        /// The bytes end in the middle of a value.
        case truncated
        /// There are bytes after the last value, where neither a contract nor a person would look.
        case leftOver(count: Int)
        /// A number has bits above its width, a Boolean is neither 0 nor 1, or padding is not zero.
        case dirty
        /// A value is not where compilers put it: directly after the one before.
        case offset
        /// A string is not UTF-8.
        case text
        /// There are more bytes than any transaction has.
        case tooLong(limit: Int)
        /// A value has another kind or size than its type, or the type is empty: an error of the encoding program.
        case wrongType
    }
}
