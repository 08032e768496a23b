#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The bytes of an IP address: 4 or 16.
struct IPAddress: Equatable, Sendable, CustomStringConvertible {
    let bytes: [UInt8]
    /// The one spelling of the address (RFC 5952), without brackets.
    let description: String

    /// Reads an IPv4 address of four decimal numbers, or an IPv6 address without brackets.
    ///
    /// - Returns: nil for a name.
    init?(_ text: String) {
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            bytes = withUnsafeBytes(of: &four) { Array($0) }
            description = bytes.map(String.init).joined(separator: ".")
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            bytes = withUnsafeBytes(of: &six) { Array($0) }
            description = Self.text(bytes)
        } else {
            return nil
        }
    }

    /// Not the system's function: systems write a single zero in different ways.
    private static func text(_ bytes: [UInt8]) -> String {
        let groups = stride(from: 0, to: 16, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        // The longest run of two or more zeros, the first of several.
        var zeros = 0..<0
        var start = 0
        for (index, group) in groups.enumerated() {
            if group != 0 {
                start = index + 1
            } else if index + 1 - start > max(1, zeros.count) {
                zeros = start..<index + 1
            }
        }
        let hex = groups.map { String($0, radix: 16) }
        guard !zeros.isEmpty else { return hex.joined(separator: ":") }
        return hex[..<zeros.lowerBound].joined(separator: ":") + "::" + hex[zeros.upperBound...].joined(separator: ":")
    }

    /// Whether it is the address of this machine: 127.0.0.0/8, ::1.
    var isLoopback: Bool {
        bytes.count == 4 ? bytes.first == 127 : bytes == Array(repeating: 0, count: 15) + [1]
    }

    /// Whether it is an IPv4 address in the form of IPv6 (RFC 4291, section 2.5.5.2).
    var isMapped: Bool {
        bytes.count == 16 && bytes.prefix(12).elementsEqual(Array(repeating: 0, count: 10) + [0xFF, 0xFF])
    }
}
