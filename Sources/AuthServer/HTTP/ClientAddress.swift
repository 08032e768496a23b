#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Whose request it is, as far as the network tells: for limits and for the security events, never for access.
struct ClientAddress: Hashable, Sendable, CustomStringConvertible {
    /// An address of IPv4 as it is, one of IPv6 cut to its first 64 bits: the rest belongs to one customer, who can choose it.
    let description: String
    /// All of it, in the one way to write it; what is no address as it is.
    let exact: String
    /// 4 or 16 bytes; none of what is no address.
    private let bytes: [UInt8]

    init(_ text: String) {
        exact = Self.canonical(text) ?? text
        bytes = Self.bytes(of: exact) ?? []
        description = bytes.count == 16 ? "\(Self.groups(bytes, 4))::/64" : exact
    }

    /// A network that an address lies in.
    struct Network: Hashable, Sendable {
        /// The first bytes of its addresses: 3 of IPv4, 6 or 7 of IPv6.
        let prefix: [UInt8]
        /// Which part of a network's limit is its own: 1 is all of it.
        let share: Int
    }

    /// The networks whose requests are counted together, beside those of the address: a /24 of IPv4; of IPv6 a /56, with half
    /// of what a /48 may, and a /48. A /56 and a /48 are what a customer gets (RFC 6177, RIPE-690).
    var networks: [Network] {
        switch bytes.count {
        case 4: [Network(prefix: Array(bytes.prefix(3)), share: 1)]
        case 16: [Network(prefix: Array(bytes.prefix(7)), share: 2), Network(prefix: Array(bytes.prefix(6)), share: 1)]
        default: []
        }
    }

    /// The widest network that one customer may have: the address of IPv4, the /48 of IPv6.
    var customer: String { bytes.count == 16 ? "\(Self.groups(bytes, 3))::/48" : exact }

    /// Whether it is this machine's own.
    var isLoopback: Bool { exact == "::1" || bytes.count == 4 && bytes.first == 127 }

    private static func groups(_ bytes: [UInt8], _ count: Int) -> String {
        stride(from: 0, to: 2 * count, by: 2)
            .map { String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16) }.joined(separator: ":")
    }

    /// An address as RFC 5952 writes it; nil for what is none. `::ffff:192.0.2.1`, as a socket for both kinds shows an
    /// address of IPv4, is that address.
    static func canonical(_ text: String) -> String? {
        guard let bytes = bytes(of: text) else { return nil }
        guard bytes.count == 16 else { return bytes.map(String.init).joined(separator: ".") }
        var name = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(AF_INET6, bytes, &name, socklen_t(name.count)) != nil else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// 4 or 16 bytes; nil for what is no address.
    private static func bytes(of text: String) -> [UInt8]? {
        // The system's function reads up to a zero byte, and would not see what stands behind it.
        guard text.utf8.count < Int(INET6_ADDRSTRLEN), !text.utf8.contains(0) else { return nil }
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET6, text, &bytes) == 1 {
            let isMapped = bytes.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
            return isMapped ? Array(bytes.suffix(4)) : bytes
        }
        return inet_pton(AF_INET, text, &bytes) == 1 ? Array(bytes.prefix(4)) : nil
    }
}
