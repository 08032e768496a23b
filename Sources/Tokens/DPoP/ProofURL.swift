internal import Encoding

/// The URL for which a proof was made (`htu`), normalised, so that exactly the equivalent spellings are equal.
///
/// Scheme and host in lower case, no default port, no query and fragment, no `.` and `..`, percent-encoding only where it
/// must be (RFC 3986 sections 6.2.2 and 6.2.3, as RFC 9449 section 4.3 asks for).
public struct ProofURL: Hashable, Sendable, CustomStringConvertible {
    /// The normalised URL in ASCII.
    let bytes: [UInt8]

    /// Reads an absolute URL of http or https.
    ///
    /// - Throws: ``TokensError/tooLong(limit:)``, ``TokensError/malformed(_:)`` also for a user name, which does not
    ///   belong to a request's target.
    public init(_ text: String) throws(TokensError) {
        guard text.utf8.count <= TokensLimits.urlBytes else { throw .tooLong(limit: TokensLimits.urlBytes) }
        var rest = Array(text.utf8)[...]
        // RFC 9449 section 4.2: without query and fragment. Section 4.3: the server ignores them if they are present.
        if let end = rest.firstIndex(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) {
            rest = rest[..<end]
        }
        guard let colon = rest.firstIndex(of: UInt8(ascii: ":")) else { throw .malformed(.url) }
        // RFC 3986 section 6.2.2.1: the case of scheme and host does not matter.
        let scheme = rest[..<colon].map(Self.lower)
        let isSecure = scheme == Array("https".utf8)
        guard isSecure || scheme == Array("http".utf8) else { throw .malformed(.url) }
        rest = rest[(colon + 1)...]
        guard rest.starts(with: Array("//".utf8)) else { throw .malformed(.url) }
        rest = rest.dropFirst(2)
        let pathStart = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        let (host, port) = try Self.authority(rest[..<pathStart])
        var url = scheme + Array("://".utf8) + host
        // Section 6.2.3: the default port is not written.
        if let port, port != (isSecure ? 443 : 80) { url += Array(":\(port)".utf8) }
        url += Self.withoutDots(try Self.normalised(rest[pathStart...], allowing: Self.pathCharacters))
        bytes = url
    }

    public var description: String { String(decoding: bytes, as: UTF8.self) }

    /// Returns whether a proof's `htu` is this URL. One that is already normalised is compared directly.
    func matches(_ text: String) -> Bool {
        if text.utf8.elementsEqual(bytes) { return true }
        guard let other = try? ProofURL(text) else { return false }
        return other == self
    }

    private static func authority(
        _ text: ArraySlice<UInt8>
    ) throws(TokensError) -> (host: [UInt8], port: UInt16?) {
        var host = text
        var port: UInt16?
        // The colons of an IPv6 address are inside its brackets.
        let end = text.first == UInt8(ascii: "[") ? text.firstIndex(of: UInt8(ascii: "]")) : text.startIndex
        guard let end else { throw .malformed(.url) }
        if let colon = text[end...].firstIndex(of: UInt8(ascii: ":")) {
            host = text[..<colon]
            let digits = text[(colon + 1)...]
            // Section 6.2.3: an empty port is the default.
            if !digits.isEmpty {
                guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                    let number = UInt16(String(decoding: digits, as: UTF8.self))
                else { throw .malformed(.url) }
                port = number
            }
        }
        if host.first == UInt8(ascii: "[") {
            // Anything after the bracket leaves the bracket in the text, and it is not a character of an address.
            let inside = host.dropFirst().dropLast()
            let isAddress = inside.allSatisfy {
                Hex.value(of: $0) != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".")
            }
            guard !inside.isEmpty, isAddress else { throw .malformed(.url) }
            return (host.map(lower), port)
        }
        guard !host.isEmpty else { throw .malformed(.url) }
        return (lowerOutsideTriplets(try normalised(host, allowing: hostCharacters)), port)
    }

    // RFC 3986 section 2.3
    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// Sections 2.2 and 3.2.2: the delimiters that a name may have.
    private static let hostCharacters = Array("!$&'()*+,;=".utf8)
    /// Section 3.3
    private static let pathCharacters = hostCharacters + Array(":@/".utf8)

    /// Decodes percent-encoding that is not needed (section 6.2.2.2), and writes the rest with upper-case digits
    /// (section 6.2.2.1).
    private static func normalised(
        _ text: ArraySlice<UInt8>, allowing others: [UInt8]
    ) throws(TokensError) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var position = text.startIndex
        while position < text.endIndex {
            let byte = text[position]
            position += 1
            guard byte == UInt8(ascii: "%") else {
                guard isUnreserved(byte) || others.contains(byte) else { throw .malformed(.url) }
                result.append(byte)
                continue
            }
            guard text.endIndex - position >= 2, let high = Hex.value(of: text[position]),
                let low = Hex.value(of: text[position + 1])
            else { throw .malformed(.url) }
            position += 2
            let decoded = high << 4 | low
            if isUnreserved(decoded) {
                result.append(decoded)
            } else {
                result += [byte, digits[Int(high)], digits[Int(low)]]
            }
        }
        return result
    }

    /// Removes dot segments from an absolute path (section 5.2.4): `/a/../b` is `/b`. An empty path is `/` (section
    /// 6.2.3).
    private static func withoutDots(_ path: [UInt8]) -> [UInt8] {
        var kept: [ArraySlice<UInt8>] = []
        let segments = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
        for (number, segment) in segments.enumerated() {
            let isLast = number == segments.count - 1
            switch segment {
            case [UInt8(ascii: ".")]: if isLast { kept.append([]) }
            case [UInt8(ascii: "."), UInt8(ascii: ".")]:
                _ = kept.popLast()
                if isLast { kept.append([]) }
            default: kept.append(segment)
            }
        }
        if kept.isEmpty { kept.append([]) }
        return kept.flatMap { [UInt8(ascii: "/")] + $0 }
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 0x20 : byte
    }

    private static func lowerOutsideTriplets(_ host: [UInt8]) -> [UInt8] {
        var inTriplet = 0
        return host.map { byte in
            if byte == UInt8(ascii: "%") { inTriplet = 3 }
            defer { inTriplet -= inTriplet > 0 ? 1 : 0 }
            return inTriplet > 0 ? byte : lower(byte)
        }
    }

    private static let digits = Array("0123456789ABCDEF".utf8)
}
