#if canImport(Glibc)
    internal import Glibc
    private let stream = Int32(SOCK_STREAM.rawValue)
#elseif canImport(Musl)
    internal import Musl
    private let stream = SOCK_STREAM
#elseif canImport(Darwin)
    internal import Darwin
    private let stream = SOCK_STREAM
#endif

/// Free ports of 127.0.0.1 for programs that need a port number.
public enum FreePort {
    /// Returns a port without a listener.
    public static func any() throws -> UInt16 {
        let socket = socket(AF_INET, stream, 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, size) == 0 && getsockname(socket, $0, &size) == 0
            }
        }
        guard isBound else { throw Companion.Failure(description: "no port is free: error \(errno)") }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Returns whether a program listens on a port of this machine.
    public static func hasListener(_ port: UInt16) -> Bool { (try? LocalConnection(to: port)) != nil }

    /// Starts a program on a free port, and again if the port was taken before the program had it: the system gives the
    /// port of a closed socket to the next connection.
    ///
    /// - Parameter start: starts the program and waits until it listens.
    public static func first<Value: Sendable>(
        _ start: @Sendable (_ port: UInt16) async throws -> Value
    ) async throws -> Value {
        for _ in 1..<attempts {
            do { return try await start(any()) } catch let failure as Companion.Failure where failure.isTakenPort {}
        }
        return try await start(any())
    }

    private static let attempts = 5
}

extension Companion.Failure {
    /// Whether the program says that its port is taken.
    fileprivate var isTakenPort: Bool {
        description.contains("in use") && description.lowercased().contains("address")
    }
}
