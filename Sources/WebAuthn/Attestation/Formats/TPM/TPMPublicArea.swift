internal import Encoding

/// The public half of a key in a TPM: a `TPMT_PUBLIC` of type RSA or ECC. (TPM 2.0 Part 2, section 12.2.4.)
struct TPMPublicArea: Equatable, Sendable {
    /// The key, as in its parameters and its unique field.
    enum Key: Equatable, Sendable {
        /// The coordinates of a point, padded with zeros on the left to the size of the curve's field.
        case elliptic(curve: Curve, x: [UInt8], y: [UInt8])
        /// The modulus, and the public exponent.
        case rsa(modulus: [UInt8], exponent: UInt32)
    }

    /// `TPM_ECC_CURVE`: the curves for which WebAuthn has algorithms.
    enum Curve: UInt16, CaseIterable, Sendable {
        case p256 = 0x0003
        case p384 = 0x0004
        case p521 = 0x0005

        var coordinateBytes: Int {
            switch self {
            case .p256: 32
            case .p384: 48
            case .p521: 66
            }
        }
    }

    /// `TPMA_OBJECT`: the uses of the key that the TPM allows. (Section 8.3.)
    struct Attributes: OptionSet, Equatable, Sendable {
        let rawValue: UInt32
        /// The key never leaves its TPM.
        static let fixedTPM = Attributes(rawValue: 1 << 1)
        /// The key never moves below another parent.
        static let fixedParent = Attributes(rawValue: 1 << 4)
        /// The TPM made the key itself.
        static let sensitiveDataOrigin = Attributes(rawValue: 1 << 5)
    }

    let nameAlgorithm: TPMHash
    let attributes: Attributes
    let key: Key
    /// The number of the hash, and the hash of the whole structure. (TPM 2.0 Part 1, section 16.)
    let name: [UInt8]

    private static let rsa: UInt16 = 0x0001
    private static let ecc: UInt16 = 0x0023
    /// `TPM_ALG_NULL`.
    private static let null: UInt16 = 0x0010

    /// - Throws: `EncodingError`; `unsupported` for other types of keys, curves, hashes and schemes.
    init(decoding bytes: [UInt8]) throws(EncodingError) {
        var reader = try ByteReader(bytes, limit: 1_024)
        let type = try reader.bigEndian(UInt16.self)
        nameAlgorithm = try TPMHash(from: &reader)
        attributes = Attributes(rawValue: try reader.bigEndian(UInt32.self))
        // authPolicy
        _ = try reader.tpm2B(limit: 64)
        switch type {
        case Self.rsa: key = try Self.readRSA(&reader)
        case Self.ecc: key = try Self.readECC(&reader)
        default: throw .unsupported
        }
        try reader.finish()
        var name = ByteWriter()
        name.bigEndian(nameAlgorithm.rawValue)
        name.append(nameAlgorithm.digest(of: bytes))
        self.name = name.bytes
    }

    /// `TPMS_RSA_PARMS` and `TPM2B_PUBLIC_KEY_RSA`. (Sections 12.2.3.5 and 11.2.4.5.)
    private static func readRSA(_ reader: inout ByteReader) throws(EncodingError) -> Key {
        try skipSymmetric(&reader)
        switch try reader.bigEndian(UInt16.self) {
        // No scheme, RSAES.
        case null, 0x0015: break
        // RSASSA, RSAPSS, OAEP: with a hash.
        case 0x0014, 0x0016, 0x0017: _ = try reader.bigEndian(UInt16.self)
        default: throw .unsupported
        }
        let bits = Int(try reader.bigEndian(UInt16.self))
        let exponent = try reader.bigEndian(UInt32.self)
        let modulus = try reader.tpm2B(limit: 512)
        guard modulus.count * 8 == bits else { throw .notCanonical }
        // Zero means the usual exponent.
        return .rsa(modulus: modulus, exponent: exponent == 0 ? 65_537 : exponent)
    }

    /// `TPMS_ECC_PARMS` and `TPMS_ECC_POINT`. (Sections 12.2.3.6 and 11.2.5.2.)
    private static func readECC(_ reader: inout ByteReader) throws(EncodingError) -> Key {
        try skipSymmetric(&reader)
        switch try reader.bigEndian(UInt16.self) {
        case null: break
        // ECDSA, ECDH, SM2, ECSchnorr, ECMQV: with a hash.
        case 0x0018, 0x0019, 0x001b, 0x001c, 0x001d: _ = try reader.bigEndian(UInt16.self)
        // ECDAA: with a hash, and a count.
        case 0x001a: _ = try reader.bigEndian(UInt32.self)
        default: throw .unsupported
        }
        guard let curve = Curve(rawValue: try reader.bigEndian(UInt16.self)) else { throw .unsupported }
        // A key derivation function: with a hash, unless it is null.
        if try reader.bigEndian(UInt16.self) != null { _ = try reader.bigEndian(UInt16.self) }
        let x = try readCoordinate(&reader, of: curve)
        let y = try readCoordinate(&reader, of: curve)
        return .elliptic(curve: curve, x: x, y: y)
    }

    /// Reads a coordinate. Older TPMs omit leading zeros.
    private static func readCoordinate(_ reader: inout ByteReader, of curve: Curve) throws(EncodingError) -> [UInt8] {
        let bytes = try reader.tpm2B(limit: curve.coordinateBytes)
        return [UInt8](repeating: 0, count: curve.coordinateBytes - bytes.count) + bytes
    }

    /// `TPMT_SYM_DEF_OBJECT`: keys that sign have none; others, a size and a mode. (Section 11.1.7.)
    private static func skipSymmetric(_ reader: inout ByteReader) throws(EncodingError) {
        if try reader.bigEndian(UInt16.self) != null { _ = try reader.bigEndian(UInt32.self) }
    }
}
