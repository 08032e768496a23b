internal import Crypto
internal import CryptoExtras
internal import Encoding
internal import SwiftASN1
internal import X509

/// Keys in other forms than COSE's.
extension COSEKey {
    /// Creates the key of a certificate, with WebAuthn's algorithm for its kind; nil if WebAuthn has none for it.
    init?(_ key: Certificate.PublicKey) {
        if let key = P256.Signing.PublicKey(key) {
            self.init(key)
        } else if let key = P384.Signing.PublicKey(key) {
            let point = Array(key.rawRepresentation)
            self.init(.es384, x: Array(point.prefix(48)), y: Array(point.suffix(48)))
        } else if let key = P521.Signing.PublicKey(key) {
            let point = Array(key.rawRepresentation)
            self.init(.es512, x: Array(point.prefix(66)), y: Array(point.suffix(66)))
        } else if let key = Curve25519.Signing.PublicKey(key) {
            let x = Array(key.rawRepresentation)
            self.init(.edDSA, [(CBOR(1), CBOR(1)), (CBOR(-1), CBOR(6)), (CBOR(-2), .bytes(x))])
        } else if _RSA.Signing.PublicKey(key) != nil {
            self.init(pkcs1: key.subjectPublicKeyInfoBytes)
        } else {
            return nil
        }
    }

    /// Creates a key from a point of the curve of an algorithm; nil if it is not on the curve.
    ///
    /// - Parameters:
    ///   - x: the coordinate, with the size of the curve's field, as `y`.
    init?(_ algorithm: COSEAlgorithm, x: [UInt8], y: [UInt8]) {
        let curve: Int64
        switch algorithm {
        case .es256: curve = 1
        case .es384: curve = 2
        case .es512: curve = 3
        case .edDSA, .rs256: return nil
        }
        self.init(
            algorithm, [(CBOR(1), CBOR(2)), (CBOR(-1), CBOR(curve)), (CBOR(-2), .bytes(x)), (CBOR(-3), .bytes(y))])
    }

    /// Creates an RSA key; nil if its size is outside ``WebAuthnLimits/rsaBits``. Leading zeros of either number do not
    /// count.
    init?(modulus: some Collection<UInt8>, exponent: some Collection<UInt8>) {
        self.init(
            .rs256,
            [
                (CBOR(1), CBOR(3)), (CBOR(-1), .bytes(Array(modulus.drop { $0 == 0 }))),
                (CBOR(-2), .bytes(Array(exponent.drop { $0 == 0 }))),
            ])
    }

    /// `RSAPublicKey ::= SEQUENCE { modulus INTEGER, publicExponent INTEGER }` (RFC 8017, appendix A.1.1).
    private init?(pkcs1 bytes: ArraySlice<UInt8>) {
        let numbers = try? DER.sequence(try DER.parse(bytes), identifier: .sequence) { nodes in
            (try ArraySlice<UInt8>(derEncoded: &nodes), try ArraySlice<UInt8>(derEncoded: &nodes))
        }
        guard let numbers else { return nil }
        self.init(modulus: numbers.0, exponent: numbers.1)
    }

    private init?(_ algorithm: COSEAlgorithm, _ parameters: [(CBOR, CBOR)]) {
        guard let map = try? CBOR.Map(parameters + [(CBOR(3), CBOR(algorithm.rawValue))]),
            let key = try? COSEKey(.map(map))
        else { return nil }
        self = key
    }
}
