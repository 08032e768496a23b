#if canImport(Glibc)
    internal import Glibc
    private let datagrams = Int32(SOCK_DGRAM.rawValue)
#elseif canImport(Darwin)
    internal import Darwin
    private let datagrams = SOCK_DGRAM
#endif

/// A socket that receives datagrams at a path, like a service manager's. It ends with this value.
public final class Inbox: Sendable {
    /// The path of the socket.
    public let path: String
    private let socket: Int32

    /// The reason why it could not be made.
    public struct Failure: Error {
        /// The value of `errno`.
        public let code: Int32
    }

    /// Makes the socket. No file may exist at `path`.
    public init(at path: String) throws {
        self.path = path
        #if canImport(Glibc)
            socket = Glibc.socket(AF_UNIX, datagrams, 0)
        #else
            socket = Darwin.socket(AF_UNIX, datagrams, 0)
        #endif
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes.prefix($0.count - 1)) }
        let status = withUnsafePointer(to: address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else { throw Failure(code: errno) }
        // A message that never comes fails the test, and does not block it.
        var patience = timeval(tv_sec: Patience.seconds, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(socket) }

    /// Waits for the next datagram. Returns nil if none comes in ten minutes.
    public func next() -> String? {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = recv(socket, &bytes, bytes.count, 0)
        return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
