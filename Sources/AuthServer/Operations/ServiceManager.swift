#if canImport(Glibc)
    internal import Glibc
    private let datagrams = Int32(SOCK_DGRAM.rawValue)
    private let dontWait = Int32(MSG_DONTWAIT)
#else
    internal import Darwin
    private let datagrams = SOCK_DGRAM
    private let dontWait = Int32(MSG_DONTWAIT)
#endif

/// The service manager that started this process and waits to be told how it goes: systemd, with `Type=notify`.
///
/// The protocol is that of sd_notify(3): a datagram of text to the socket that `NOTIFY_SOCKET` names.
public struct ServiceManager: Sendable {
    /// What it is told.
    public enum Message: String, Sendable {
        /// The server listens.
        case ready = "READY=1"
        /// The server was told to end.
        case stopping = "STOPPING=1"
        /// The server is alive, for `WatchdogSec=`.
        case alive = "WATCHDOG=1"
    }

    /// The address of the socket.
    private let address: sockaddr_un
    private let addressSize: socklen_t
    /// How often ``Message/alive`` is to be sent: twice in the time after which the manager gives up the process. Nil if it does
    /// not watch.
    public let interval: Duration?

    /// Nil if no service manager wants to be told, or what the environment says of it cannot be understood.
    ///
    /// - Parameters:
    ///   - environment: of the process.
    ///   - process: its id; nil is this one's. A watchdog for another process is not this one's.
    public init?(environment: [String: String], process: Int32? = nil) {
        guard let path = environment["NOTIFY_SOCKET"], path.hasPrefix("/") || path.hasPrefix("@") else { return nil }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(path.utf8)
        // The name of an abstract socket begins with a zero byte, and has none at its end.
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

    /// Tells it. A manager that does not listen is not waited for. - Returns: whether the datagram was sent.
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
