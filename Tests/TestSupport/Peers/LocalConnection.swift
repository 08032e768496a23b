internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A connection to a port of this machine, closed with this value.
struct LocalConnection: ~Copyable {
    private let socket: Int32

    /// - Throws: the system's error if no program listens there.
    init(to port: UInt16) throws {
        #if canImport(Darwin)
            socket = Darwin.socket(AF_INET, SOCK_STREAM, 0)
        #else
            socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        // No answer takes so long: a test does not wait for ever.
        var limit = timeval(tv_sec: Patience.seconds, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = Self.address(port: port)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { general in
                connect(socket, general, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else {
            let error = POSIXErrorCode(rawValue: errno) ?? .ECONNREFUSED
            close(socket)
            throw POSIXError(error)
        }
    }

    deinit { close(socket) }

    /// The address of a port of this machine.
    static func address(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    /// Writes the whole text to a socket. Returns false if the other side is gone.
    static func write(_ text: String, to socket: Int32) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Writes the whole text. Returns false if the other side is gone.
    borrowing func write(_ text: String) -> Bool { Self.write(text, to: socket) }

    /// Reads until the other side ends the connection, or up to a line feed.
    borrowing func read(upToLineFeed isLine: Bool = false) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !isLine || bytes.last != UInt8(ascii: "\n") {
            let count = recv(socket, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return bytes
    }
}
