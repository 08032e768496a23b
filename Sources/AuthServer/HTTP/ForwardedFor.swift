/// Reads `X-Forwarded-For`, which each proxy on the way appends the address to that it took the request from.
///
/// `Forwarded` (RFC 7239) is not read: a proxy that writes the one passes the other on as the client wrote it, and whoever believed
/// both would believe the client.
enum ForwardedFor {
    /// The last hop that is no trusted proxy. What stands before it the client may have written itself.
    ///
    /// - Parameters:
    ///   - values: of all headers of that name, in their order.
    ///   - proxies: in the one way to write each.
    /// - Returns: nil if there is no such hop, or if a hop that is no address stands behind it: a proxy wrote it, and what it took
    ///   the request from is not known.
    static func client(in values: [String], proxies: [String]) -> ClientAddress? {
        for hop in values.joined(separator: ",").split(separator: ",", omittingEmptySubsequences: false).reversed() {
            guard let address = address(of: hop) else { return nil }
            if !proxies.contains(address) { return ClientAddress(address) }
        }
        return nil
    }

    /// The address of a hop in the one way to write it; nil if it is none. Some proxies write the client's port as well, which is
    /// another one at each connection: `192.0.2.1:50000`, `[2001:db8::1]:50000`.
    static func address(of hop: Substring) -> String? {
        let text = hop.trimmedOfBlanks
        guard text.utf8.count <= longest else { return nil }
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]") else { return nil }
            let inside = text[text.index(after: text.startIndex)..<end]
            guard inside.contains(":"), isPort(text[text.index(after: end)...]) else { return nil }
            return ClientAddress.canonical(String(inside))
        }
        guard let colon = text.firstIndex(of: ":"), colon == text.lastIndex(of: ":") else {
            return ClientAddress.canonical(String(text))
        }
        return isPort(text[colon...]) ? ClientAddress.canonical(String(text[..<colon])) : nil
    }

    /// `[ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255]:65535`
    private static let longest = 53

    /// Nothing, or a colon and a port.
    private static func isPort(_ text: Substring) -> Bool {
        guard let colon = text.first else { return true }
        let digits = text.dropFirst()
        return colon == ":" && digits.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
            && UInt16(digits) != nil
    }
}

extension Substring {
    /// Without the blanks that may stand around an element of a list (RFC 9110 section 5.6.3).
    fileprivate var trimmedOfBlanks: Substring {
        var text = self
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
