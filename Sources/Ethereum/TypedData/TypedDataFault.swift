public import Encoding

extension TypedData {
    /// An error in typed data. It repeats no value of the document, which is untrusted.
    public enum Fault: Equatable, Sendable {
        /// The document is not JSON as `Encoding.JSON` reads it.
        case malformed(EncodingError)
        /// The document does not have exactly the four members `types`, `primaryType`, `domain` and `message`, or one
        /// has the wrong kind.
        case shape
        /// The primary type is the domain, so that no message would be signed.
        case domainAsMessage
        /// A name is not a Solidity identifier, or is that of a basic type. The name of a structure may have several
        /// identifiers with colons between them.
        case name
        /// The document has more types, members or brackets than the limits allow.
        case tooMany
        /// A type has a member twice.
        case duplicateMember
        /// A type is neither basic nor defined.
        case unknownType
        /// The domain has a member that EIP-712 does not define, or one of another type.
        case domain
        /// A value lacks this member.
        case missingMember
        /// A value has a member that its type lacks, which would not be signed.
        case unknownMember
        /// A value has another kind than its type, or is `null`.
        case wrongKind
        /// A number is outside the range of its type, or not whole.
        case outOfRange
        /// Bytes or an array do not have the type's size.
        case wrongSize
        /// Text is not an address.
        case badAddress
        /// The capital and small letters of an address do not match its digits (EIP-55).
        case badAddressChecksum
    }
}
