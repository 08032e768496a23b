package import Encoding

/// The nine bytes of a policy, in the header of a keychain's record and in the file of an Enclave's key: a number, and
/// the flags of a combination, with the most significant byte first. The flags of the other policies are zero.
extension AccessControlPolicy {
    package func append(to writer: inout ByteWriter) {
        let (number, flags): (UInt8, AccessControlFlags) =
            switch self {
            case .none: (0, [])
            case .userPresence: (1, [])
            case .biometryAny: (2, [])
            case .biometryCurrentSet: (3, [])
            case .devicePasscode: (4, [])
            case .custom(let flags): (5, flags)
            }
        writer.append(number)
        writer.bigEndian(UInt64(flags.rawValue))
    }

    /// Reads a policy.
    package init(from reader: inout ByteReader) throws(EncodingError) {
        let number = try reader.uint8()
        let flags = try reader.bigEndian(UInt64.self)
        guard number == 5 || flags == 0 else { throw .notCanonical }
        switch number {
        case 0: self = .none
        case 1: self = .userPresence
        case 2: self = .biometryAny
        case 3: self = .biometryCurrentSet
        case 4: self = .devicePasscode
        case 5:
            guard let bits = UInt(exactly: flags) else { throw .unsupported }
            self = .custom(AccessControlFlags(rawValue: bits))
        default: throw .unsupported
        }
    }
}
