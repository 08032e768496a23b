#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The bytes of an IP address: 4 or 16.
struct IPAddress: Equatable, Sendable {
    let bytes: [UInt8]

    /// Reads an IPv4 address of four decimal numbers, or an IPv6 address without brackets.
    ///
    /// - Returns: nil for a name.
    init?(_ text: String) {
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            bytes = withUnsafeBytes(of: &four) { Array($0) }
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            bytes = withUnsafeBytes(of: &six) { Array($0) }
        } else {
            return nil
        }
    }
}
