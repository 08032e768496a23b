/// The parts of a payment request's URI: a scheme, a path, and parameters (RFC 3986, without an authority or a
/// fragment).
package struct URIText: Equatable, Sendable {
    /// The scheme, in lower case.
    package let scheme: String
    /// The unchanged text between the scheme and the parameters.
    package let path: String
    /// The parameters in order, with names and values decoded.
    package let parameters: [Parameter]

    /// A name and a value; the value is empty without an equals sign.
    package struct Parameter: Equatable, Sendable {
        package let name: String
        package let value: String
    }

    /// The highest number of bytes: a request with a long message has a few hundred.
    package static let longest = 4_096

    /// Parses a URI.
    ///
    /// - Throws: ``EncodingError/tooLong(limit:)``; ``EncodingError/badCharacter(offset:)`` with 0 for a text that is
    ///   not an ASCII URI, or whose percent codes are not UTF-8.
    package init(_ text: String) throws(EncodingError) {
        guard text.utf8.count <= Self.longest else { throw .tooLong(limit: Self.longest) }
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x23 }), let colon = text.firstIndex(of: ":")
        else { throw .badCharacter(offset: 0) }
        scheme = text[..<colon].lowercased()
        let rest = text[text.index(after: colon)...]
        let mark = rest.firstIndex(of: "?") ?? rest.endIndex
        path = String(rest[..<mark])
        var parameters: [Parameter] = []
        for pair in rest[mark...].dropFirst().split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            parameters.append(
                Parameter(name: try Self.decoded(sides[0]), value: sides.count == 2 ? try Self.decoded(sides[1]) : ""))
        }
        self.parameters = parameters
    }

    private static func decoded(_ text: Substring) throws(EncodingError) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(Hex.value), let low = rest.popFirst().flatMap(Hex.value) else {
                throw .badCharacter(offset: 0)
            }
            bytes.append(high << 4 | low)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .badCharacter(offset: 0) }
        return text
    }
}
