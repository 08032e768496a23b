#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The address of a request's client, as far as the network reveals it: for limits and for the security events, never
/// for access.
package struct ClientAddress: Hashable, Sendable, CustomStringConvertible {
    /// The address in limits and events: an IPv4 address whole, an IPv6 address cut to its first 64 bits, since one
    /// customer owns and chooses the rest.
    package let description: String
    /// The whole address in canonical form; any other text unchanged.
    package let exact: String
    /// The 4 or 16 bytes of the address; empty for any other text.
    private let bytes: [UInt8]

    package init(_ text: String) {
        exact = Self.canonical(text) ?? text
        bytes = Self.bytes(of: exact) ?? []
        description = bytes.count == 16 ? "\(Self.groups(bytes, 4))::/64" : exact
    }

    /// A network that contains an address.
    package struct Network: Hashable, Sendable {
        /// The first bytes of its addresses: 3 of IPv4, 6 or 7 of IPv6.
        package let prefix: [UInt8]
        /// The divisor of the network's limit: 1 means the whole limit, 2 means half.
        package let share: Int
    }

    /// The networks whose requests are counted beside those of the address: a /24 of IPv4; for IPv6 a /56, with half
    /// the limit of a /48, and a /48. Providers assign a /56 or a /48 to a customer (RFC 6177, RIPE-690).
    package var networks: [Network] {
        switch bytes.count {
        case 4: [Network(prefix: Array(bytes.prefix(3)), share: 1)]
        case 16: [Network(prefix: Array(bytes.prefix(7)), share: 2), Network(prefix: Array(bytes.prefix(6)), share: 1)]
        default: []
        }
    }

    /// The widest network that one customer may have: one IPv4 address, or an IPv6 /48.
    package var customer: String { bytes.count == 16 ? "\(Self.groups(bytes, 3))::/48" : exact }

    /// Whether the address is a loopback address of this machine.
    package var isLoopback: Bool { exact == "::1" || bytes.count == 4 && bytes.first == 127 }

    private static func groups(_ bytes: [UInt8], _ count: Int) -> String {
        stride(from: 0, to: 2 * count, by: 2)
            .map { String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16) }.joined(separator: ":")
    }

    /// Returns an address in the form of RFC 5952; nil for any other text. `::ffff:192.0.2.1`, which a dual-stack
    /// socket shows for an IPv4 address, becomes that IPv4 address.
    package static func canonical(_ text: String) -> String? {
        guard let bytes = bytes(of: text) else { return nil }
        guard bytes.count == 16 else { return bytes.map(String.init).joined(separator: ".") }
        var name = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(AF_INET6, bytes, &name, socklen_t(name.count)) != nil else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Returns the 4 or 16 bytes of an address; nil for any other text.
    private static func bytes(of text: String) -> [UInt8]? {
        // The system's function stops at a zero byte, and would ignore the text after it.
        guard text.utf8.count < Int(INET6_ADDRSTRLEN), !text.utf8.contains(0) else { return nil }
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET6, text, &bytes) == 1 {
            let isMapped = bytes.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
            return isMapped ? Array(bytes.suffix(4)) : bytes
        }
        return inet_pton(AF_INET, text, &bytes) == 1 ? Array(bytes.prefix(4)) : nil
    }
}
