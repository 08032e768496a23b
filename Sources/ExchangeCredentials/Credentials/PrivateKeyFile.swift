internal import Secrets

/// The file with an Ed25519 key that `openssl genpkey -algorithm ed25519` writes: PEM (RFC 7468) with PKCS#8 (RFC 5958,
/// the form of RFC 8410, section 7).
enum PrivateKeyFile {
    /// The content of a file.
    enum Content: ~Copyable {
        case seed(SecretBytes)
        case fault(InputFault)
    }

    private static let header = [UInt8]("-----BEGIN PRIVATE KEY-----".utf8)
    private static let footer = [UInt8]("-----END PRIVATE KEY-----".utf8)
    private static let encrypted = [UInt8]("-----BEGIN ENCRYPTED PRIVATE KEY-----".utf8)
    /// The DER before the seed: version 0, id-Ed25519, an octet string in an octet string.
    private static let prefix: [UInt8] = [
        0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
    ]
    private static let size = prefix.count + 32

    /// Returns the seed in the file.
    static func seed(in file: borrowing SecretBytes) -> Content {
        let isEncrypted = file.withUnsafeBytes { $0.starts(with: encrypted) }
        guard !isEncrypted else { return .fault(.encryptedKeyFile) }
        // A key of another algorithm is longer, or has another header.
        guard file.withUnsafeBytes({ $0.starts(with: header) }) else {
            return .fault(.notEd25519)
        }
        let length = (size + 2) / 3 * 4
        // The positions of the Base64 characters between the lines. They are not secret; the characters are.
        let positions = file.withUnsafeBytes { bytes -> [Int]? in
            guard bytes.count >= header.count + footer.count, bytes.suffix(footer.count).elementsEqual(footer) else {
                return nil
            }
            let body = header.count..<(bytes.count - footer.count)
            return body.filter { bytes[$0] != 0x0A && bytes[$0] != 0x0D }
        }
        guard let positions else { return .fault(.notAKeyFile) }
        guard positions.count == length else {
            return .fault(positions.count > length ? .notEd25519 : .notAKeyFile)
        }
        let text = SecretBytes(count: length) { memory in
            file.withUnsafeBytes { bytes in
                for (index, position) in positions.enumerated() { memory[index] = bytes[position] }
            }
        }
        guard let decoded = SecretBase64.decode(text, bytes: size) else { return .fault(.notAKeyFile) }
        guard decoded.withUnsafeBytes({ $0.starts(with: prefix) }) else { return .fault(.notEd25519) }
        return .seed(decoded.suffix(32))
    }
}
