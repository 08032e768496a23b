/// Reads `X-Forwarded-For`, to which each proxy on the way appends the address of its own client.
///
/// `Forwarded` (RFC 7239) is not read: a proxy that writes one of the two fields passes on the other as the client
/// wrote it, and a server that believed both would believe the client.
package enum ForwardedFor {
    /// Returns the last hop that is not a trusted proxy. The client may have written the hops before it.
    ///
    /// - Parameters:
    ///   - values: the values of all fields of that name, in their order.
    ///   - proxies: the proxies' addresses in canonical form.
    /// - Returns: nil if every hop is a proxy, or if a hop after it is not an address: a proxy wrote that hop, and the
    ///   proxy's client is unknown.
    package static func client(in values: [String], proxies: [String]) -> ClientAddress? {
        for hop in values.joined(separator: ",").split(separator: ",", omittingEmptySubsequences: false).reversed() {
            guard let address = address(of: hop) else { return nil }
            if !proxies.contains(address) { return ClientAddress(address) }
        }
        return nil
    }

    /// Returns the address of a hop in canonical form; nil if the hop is not an address. Some proxies also write the
    /// client's port, which changes with each connection: `192.0.2.1:50000`, `[2001:db8::1]:50000`.
    package static func address(of hop: Substring) -> String? {
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

    /// The length of the longest hop: `[ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255]:65535`
    private static let longest = 53

    /// Returns whether a text is empty, or a colon and a port.
    private static func isPort(_ text: Substring) -> Bool {
        guard let colon = text.first else { return true }
        let digits = text.dropFirst()
        return colon == ":" && digits.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
            && UInt16(digits) != nil
    }
}

extension Substring {
    /// The text without the blanks that may surround an element of a list (RFC 9110 section 5.6.3).
    fileprivate var trimmedOfBlanks: Substring {
        var text = self
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
