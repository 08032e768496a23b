/// The status line and the headers of an answer (RFC 9112, sections 4 and 5).
package struct AnswerHead: Equatable, Sendable {
    /// The minor version: 0 or 1.
    package let minorVersion: UInt8
    package let status: Int
    package let headers: [HTTPHeader]

    /// The reasons to refuse a head.
    struct Malformed: Error {}

    /// Reads a head.
    ///
    /// Lines end with CR LF only. A folded line, a space before the colon and control characters are refused: servers
    /// and proxies read them in different ways.
    ///
    /// - Parameter lines: the status line and the header lines, without their ends.
    /// - Returns: nil if it is refused.
    package init?(parsing lines: some Collection<ArraySlice<UInt8>>) {
        guard let first = lines.first else { return nil }
        do throws(Malformed) {
            (minorVersion, status) = try Self.statusLine(first)
            headers = try Self.headers(lines.dropFirst())
        } catch { return nil }
    }

    /// Reads `HTTP/1.1 200 OK`, whose reason phrase may be absent.
    private static func statusLine(_ line: ArraySlice<UInt8>) throws(Malformed) -> (UInt8, Int) {
        let text = Array(line)
        guard text.starts(with: "HTTP/1.".utf8), text.count >= 12, isText(text[...]) else { throw Malformed() }
        let (version, rest) = (text[7], text[8...])
        guard version == UInt8(ascii: "0") || version == UInt8(ascii: "1"), rest.first == UInt8(ascii: " "),
            rest.count == 4 || rest.dropFirst(4).first == UInt8(ascii: " ")
        else { throw Malformed() }
        let digits = rest.dropFirst().prefix(3)
        guard let status = decimal(digits), (100...599).contains(status) else { throw Malformed() }
        return (version - UInt8(ascii: "0"), status)
    }

    static func headers(_ lines: some Collection<ArraySlice<UInt8>>) throws(Malformed) -> [HTTPHeader] {
        guard lines.count <= HTTPLimits.answerHeaders else { throw Malformed() }
        var headers: [HTTPHeader] = []
        headers.reserveCapacity(lines.count)
        for line in lines {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw Malformed() }
            let name = line[..<colon]
            var value = line[line.index(after: colon)...]
            while let last = value.last, isSpace(last) { value = value.dropLast() }
            value = value.drop(while: isSpace)
            guard !name.isEmpty, name.allSatisfy(HTTPHeader.isTokenCharacter), isText(value) else { throw Malformed() }
            headers.append(
                HTTPHeader(String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self)))
        }
        return headers
    }

    /// The values of all headers of this name.
    package func values(_ name: String) -> [String] { headers.filter { $0.name.lowercased() == name }.map(\.value) }

    /// The elements of a list that may be in several headers (RFC 9110, section 5.6.1), in lower case.
    package func tokens(_ name: String) -> [String] {
        values(name).flatMap { $0.split(separator: ",") }.map { element in
            let bare = element.utf8.drop(while: Self.isSpace).reversed().drop(while: Self.isSpace).reversed()
            return String(decoding: Array(bare), as: UTF8.self).lowercased()
        }
    }

    /// Reads one to eighteen decimal digits.
    static func decimal(_ digits: some Collection<UInt8>) -> Int? {
        guard (1...18).contains(digits.count),
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Whether the only control characters are tabs.
    private static func isText(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }
}
