internal import Encoding

/// Numbers of TPM 2.0, part 2.
enum Algorithm {
    static let aes: UInt16 = 0x0006
    static let keyedHash: UInt16 = 0x0008
    static let sha256: UInt16 = 0x000b
    static let none: UInt16 = 0x0010
    static let ecdsa: UInt16 = 0x0018
    static let ecc: UInt16 = 0x0023
    static let cfb: UInt16 = 0x0043
    static let p256: UInt16 = 0x0003
}

/// Attributes of an object (`TPMA_OBJECT`: TPM 2.0, part 2, section 8.3).
struct ObjectAttributes: OptionSet {
    let rawValue: UInt32
    /// The object works in the TPM that made it, and no other.
    static let fixedTPM = ObjectAttributes(rawValue: 1 << 1)
    static let fixedParent = ObjectAttributes(rawValue: 1 << 4)
    /// The TPM drew the private part.
    static let sensitiveDataOrigin = ObjectAttributes(rawValue: 1 << 5)
    /// The authorization alone permits the use. Without it, the policy does.
    static let userWithAuth = ObjectAttributes(rawValue: 1 << 6)
    /// Certifying and changing the authorization need the policy.
    static let adminWithPolicy = ObjectAttributes(rawValue: 1 << 7)
    /// Wrong authorizations are not counted.
    static let noDA = ObjectAttributes(rawValue: 1 << 10)
    static let restricted = ObjectAttributes(rawValue: 1 << 16)
    static let decrypt = ObjectAttributes(rawValue: 1 << 17)
    static let sign = ObjectAttributes(rawValue: 1 << 18)
}

/// The public areas that this target makes, in the TPM's own form (`TPM2B_PUBLIC`).
///
/// Each has one form only, in which a few parts vary. A public area from a file is read by writing the form again
/// with the file's parts, and comparing: so a changed attribute cannot be overlooked.
enum PublicArea {
    /// The storage root key: the template of the TCG for P-256 ("TCG TPM v2.0 Provisioning Guidance", section 7.5.1),
    /// whose private part follows from the TPM's owner seed. Every call makes the same key until the TPM is cleared.
    static let storageRoot = key(
        [.fixedTPM, .fixedParent, .sensitiveDataOrigin, .userWithAuth, .noDA, .restricted, .decrypt],
        policy: [], symmetric: true, scheme: [Algorithm.none], x: [], y: [])

    /// The key that makes statements about other keys. It is restricted: it signs only what the TPM itself wrote. The
    /// label in `unique` makes it another key than other primary keys of the same form.
    static let attesting = key(
        [.fixedTPM, .fixedParent, .sensitiveDataOrigin, .userWithAuth, .noDA, .restricted, .sign],
        policy: [], symmetric: false, scheme: [Algorithm.ecdsa, Algorithm.sha256],
        x: [UInt8]("fueki attesting key 1".utf8), y: [])

    /// A sealed secret.
    ///
    /// - Parameters:
    ///   - policy: the digest of the policy; empty without one.
    ///   - unique: the digest that the TPM computes; empty in a template.
    static func sealed(policy: [UInt8], unique: [UInt8]) -> [UInt8] {
        var attributes: ObjectAttributes = [.fixedTPM, .fixedParent]
        // With a policy, the authorization is one of its conditions, and must not suffice alone.
        if policy.isEmpty { attributes.insert(.userWithAuth) }
        var writer = ByteWriter(reserving: 96)
        writer.bigEndian(Algorithm.keyedHash)
        writer.bigEndian(Algorithm.sha256)
        writer.bigEndian(attributes.rawValue)
        writer.sized(policy)
        writer.bigEndian(Algorithm.none)
        writer.sized(unique)
        return sized(writer.bytes)
    }

    /// A signing key.
    ///
    /// Its policy permits `TPM2_Certify` without the PIN, and nothing else: a statement about the key gives no use
    /// of it.
    static func signing(countsWrongPINs: Bool, x: [UInt8], y: [UInt8]) -> [UInt8] {
        var attributes: ObjectAttributes = [
            .fixedTPM, .fixedParent, .sensitiveDataOrigin, .userWithAuth, .adminWithPolicy, .sign,
        ]
        if !countsWrongPINs { attributes.insert(.noDA) }
        return key(
            attributes, policy: Policy.certifying, symmetric: false,
            scheme: [Algorithm.ecdsa, Algorithm.sha256], x: x, y: y)
    }

    private static func key(
        _ attributes: ObjectAttributes, policy: [UInt8], symmetric: Bool, scheme: [UInt16], x: [UInt8], y: [UInt8]
    ) -> [UInt8] {
        var writer = ByteWriter(reserving: 128)
        writer.bigEndian(Algorithm.ecc)
        writer.bigEndian(Algorithm.sha256)
        writer.bigEndian(attributes.rawValue)
        writer.sized(policy)
        for number in symmetric ? [Algorithm.aes, 128, Algorithm.cfb] : [Algorithm.none] {
            writer.bigEndian(number)
        }
        for number in scheme { writer.bigEndian(number) }
        writer.bigEndian(Algorithm.p256)
        // No key derivation.
        writer.bigEndian(Algorithm.none)
        writer.sized(x)
        writer.sized(y)
        return sized(writer.bytes)
    }

    private static func sized(_ area: [UInt8]) -> [UInt8] {
        var writer = ByteWriter(reserving: area.count + 2)
        writer.sized(area)
        return writer.bytes
    }

    /// Reads a sealed secret's public area, and returns its policy.
    ///
    /// - Throws: ``EncodingError`` unless it is exactly one that this target makes.
    static func policy(ofSealed bytes: [UInt8]) throws(EncodingError) -> [UInt8] {
        var reader = try ByteReader(bytes, limit: Limits.publicArea)
        // Size, type, algorithm and attributes: compared below.
        _ = try reader.bytes(2 + 2 + 2 + 4)
        let policy = try reader.sized(limit: 32)
        _ = try reader.bytes(2)
        let unique = try reader.sized(limit: 32)
        try reader.finish()
        guard policy.isEmpty || policy.count == 32, unique.count == 32,
            sealed(policy: policy, unique: unique) == bytes
        else { throw .unsupported }
        return policy
    }

    /// Reads a signing key's public area, and returns its point in the form of SEC 1, section 2.3.3: 65 bytes.
    ///
    /// - Throws: ``EncodingError`` unless it is exactly one that this target makes.
    static func point(ofSigning bytes: [UInt8], countsWrongPINs: Bool) throws(EncodingError) -> [UInt8] {
        let (x, y) = try coordinates(of: bytes)
        guard signing(countsWrongPINs: countsWrongPINs, x: x, y: y) == bytes else { throw .unsupported }
        return [4] + padded(x) + padded(y)
    }

    private static func coordinates(of bytes: [UInt8]) throws(EncodingError) -> (x: [UInt8], y: [UInt8]) {
        var reader = try ByteReader(bytes, limit: Limits.publicArea)
        _ = try reader.bytes(2 + 2 + 2 + 4)
        _ = try reader.sized(limit: 32)
        // No symmetric algorithm, ECDSA with SHA-256, the curve, no key derivation: compared by the callers.
        _ = try reader.bytes(2 + 4 + 2 + 2)
        let x = try reader.sized(limit: 32)
        let y = try reader.sized(limit: 32)
        try reader.finish()
        guard !x.isEmpty, !y.isEmpty else { throw .unsupported }
        return (x, y)
    }

    /// A TPM may leave out zeros at the beginning of a number.
    static func padded(_ number: [UInt8]) -> [UInt8] {
        [UInt8](repeating: 0, count: max(0, 32 - number.count)) + number
    }
}

extension ByteWriter {
    /// Appends bytes after their number in two bytes: `TPM2B`.
    mutating func sized(_ bytes: [UInt8]) {
        bigEndian(UInt16(truncatingIfNeeded: bytes.count))
        append(bytes)
    }
}

extension ByteReader {
    /// Reads bytes after their number in two bytes: `TPM2B`.
    mutating func sized(limit: Int) throws(EncodingError) -> [UInt8] {
        let count = Int(try bigEndian(UInt16.self))
        guard count <= limit else { throw .tooLong(limit: limit) }
        return [UInt8](try bytes(count))
    }
}
