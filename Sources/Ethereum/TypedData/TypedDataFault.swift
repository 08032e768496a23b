public import Encoding

extension TypedData {
    /// What is wrong with typed data. The document may be anybody's: nothing of it is repeated here.
    public enum Fault: Equatable, Sendable {
        /// Not JSON as `Encoding.JSON` reads it.
        case malformed(EncodingError)
        /// Not the four members `types`, `primaryType`, `domain` and `message`, or one is not of its kind.
        case shape
        /// A name that is no identifier of Solidity, or that of a basic type.
        case name
        /// More types, members or brackets than the limits.
        case tooMany
        /// A member of a type that is there twice.
        case duplicateMember
        /// A type that is neither basic nor described.
        case unknownType
        /// A domain without members, or with one that EIP-712 does not have.
        case domain
        /// A value that has no member of this name.
        case missingMember
        /// A value with a member that its type does not have, so that nobody would sign it.
        case unknownMember
        /// A value of another kind than its type, `null` too.
        case wrongKind
        /// A number outside the range of its type, or that is not whole.
        case outOfRange
        /// Bytes, or an array, of another size than the type's.
        case wrongSize
    }
}
