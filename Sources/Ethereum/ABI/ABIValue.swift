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
    /// Of a fixed size, or of any: the type says it.
    case bytes([UInt8])
    /// Text in UTF-8.
    case string(String)
    /// An array of values of one type.
    case array([ABIValue])
    /// A tuple of values.
    case tuple([ABIValue])
}

/// The encoding of values for a contract (Solidity, "Contract ABI Specification"): of all that contracts would accept, only
/// the form which compilers write.
public enum ABI {
    /// What is wrong with encoded values.
    public enum Fault: Hashable, Sendable {
        /// The bytes end in the middle of a value.
        case truncated
        /// Bytes behind the last value, where a contract would not look and a person sees nothing.
        case leftOver(count: Int)
        /// A number with bits above its width, a Boolean that is neither 0 nor 1, bytes with something behind their end.
        case dirty
        /// A value that is not where compilers put it: behind the one before.
        case offset
        /// A string that is not UTF-8.
        case text
        /// More bytes than any transaction has.
        case tooLong(limit: Int)
        /// A value of another kind or size than its type, or a type that holds nothing: a fault of the program that encodes.
        case wrongType
    }
}
