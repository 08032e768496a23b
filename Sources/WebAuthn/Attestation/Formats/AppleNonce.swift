internal import SwiftASN1

/// The extension of Apple's authority in the certificate of a key: the hash that binds it to one registration.
/// (WebAuthn section 8.8; App Attest has the same extension.)
enum AppleNonce {
    static let identifier: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 8, 2]

    /// Returns the nonce of `SEQUENCE { [1] EXPLICIT OCTET STRING }`; nil if the value is anything else.
    static func bytes(of value: ArraySlice<UInt8>) -> [UInt8]? {
        guard let node = try? DER.parse(value) else { return nil }
        let nonce = try? DER.sequence(node, identifier: .sequence) { nodes in
            try DER.explicitlyTagged(&nodes, tagNumber: 1, tagClass: .contextSpecific) { node in
                Array(try ASN1OctetString(derEncoded: node).bytes)
            }
        }
        return nonce
    }
}
