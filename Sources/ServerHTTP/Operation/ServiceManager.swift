#if canImport(Glibc)
    internal import Glibc
    private let datagrams = Int32(SOCK_DGRAM.rawValue)
    private let dontWait = Int32(MSG_DONTWAIT)
#else
    internal import Darwin
    private let datagrams = SOCK_DGRAM
    private let dontWait = Int32(MSG_DONTWAIT)
#endif

/// The service manager that started this process and waits for its notices: systemd, with `Type=notify`.
///
/// The protocol is sd_notify(3): a text datagram to the socket that `NOTIFY_SOCKET` names.
public struct ServiceManager: Sendable {
    /// A notice to the service manager.
    public enum Message: String, Sendable {
        /// The server listens.
        case ready = "READY=1"
        /// The server is stopping.
        case stopping = "STOPPING=1"
        /// The server is alive: for `WatchdogSec=`.
        case alive = "WATCHDOG=1"
    }

    /// The address of the socket.
    private let address: sockaddr_un
    private let addressSize: socklen_t
    /// The interval between ``Message/alive`` notices: half the time after which the manager considers the process
    /// dead. Nil without a watchdog.
    public let interval: Duration?

    /// Reads the environment. Returns nil without a service manager, or if its variables cannot be understood.
    ///
    /// - Parameters:
    ///   - environment: the environment of the process.
    ///   - process: the process id; nil for this process. A watchdog of another process is ignored.
    public init?(environment: [String: String], process: Int32? = nil) {
        guard let path = environment["NOTIFY_SOCKET"], path.hasPrefix("/") || path.hasPrefix("@") else { return nil }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(path.utf8)
        // The name of an abstract socket begins with a zero byte, and has no zero byte at its end.
        let isAbstract = bytes.first == UInt8(ascii: "@")
        if isAbstract { bytes[0] = 0 }
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard bytes.count > 1, bytes.count < room else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        self.address = address
        addressSize = socklen_t(MemoryLayout<sockaddr_un>.size - room + bytes.count + (isAbstract ? 0 : 1))
        let isForThis = environment["WATCHDOG_PID"].map { $0 == String(process ?? getpid()) } ?? true
        if isForThis, let text = environment["WATCHDOG_USEC"], let microseconds = Int64(text), microseconds > 0 {
            interval = .microseconds(microseconds / 2)
        } else {
            interval = nil
        }
    }

    /// Sends a notice, and does not wait for a manager that does not read.
    ///
    /// - Returns: whether the datagram was sent.
    @discardableResult
    public func send(_ message: Message) -> Bool {
        let socket = socket(AF_UNIX, datagrams, 0)
        guard socket >= 0 else { return false }
        defer { close(socket) }
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        let bytes = Array(message.rawValue.utf8)
        return withUnsafePointer(to: address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                sendto(socket, bytes, bytes.count, dontWait, address, addressSize)
            }
        } == bytes.count
    }
}
