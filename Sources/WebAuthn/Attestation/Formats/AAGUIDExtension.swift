internal import SwiftASN1

/// The extension `id-fido-gen-ce-aaguid`: the model of authenticator for which a certificate is. (WebAuthn section
/// 8.2.1.)
enum AAGUIDExtension {
    static let identifier: ASN1ObjectIdentifier = [1, 3, 6, 1, 4, 1, 45724, 1, 1, 4]

    /// Returns the 16 bytes; nil if the value is anything but one OCTET STRING of 16 bytes.
    static func bytes(of value: ArraySlice<UInt8>) -> [UInt8]? {
        guard let node = try? DER.parse(value), let string = try? ASN1OctetString(derEncoded: node),
            string.bytes.count == 16
        else { return nil }
        return Array(string.bytes)
    }
}
