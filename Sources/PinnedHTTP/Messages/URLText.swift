internal import Encoding
package import Secrets

/// The parts of a URL (RFC 3986) that addresses of nodes and of proxies have in common.
package enum URLText {
    private static let forbidden = Set("\"<>\\^`{|}".utf8)

    /// Whether a byte can be in a URL.
    package static func isAllowed(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) && !forbidden.contains(byte) }

    /// Reads the part before the `@`, `user:password` with percent-encoding (section 3.2.1), and returns the decoded pair;
    /// nil for anything else.
    package static func userAndPassword(in text: Substring) -> SecretBytes? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard rest.count >= 2, let code = try? Hex.decode(String(decoding: rest.prefix(2), as: UTF8.self)),
                    let decoded = code.first
                else { return nil }
                bytes.append(decoded)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        // A user name has no colon (RFC 7617): the first one ends it. Control characters could end a header.
        guard text.utf8.contains(UInt8(ascii: ":")), bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
        return SecretBytes(moving: &bytes)
    }
}
