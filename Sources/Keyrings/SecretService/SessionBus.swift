#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The address of the user's session bus.
///
/// The address is always given to GLib. Left to itself, GLib starts a bus of its own if `DISPLAY` is set, and waits for
/// minutes where that does not work.
struct SessionBus: Equatable, Sendable {
    /// The address, of sockets of this machine only.
    let address: String

    /// Finds the bus in an environment: `DBUS_SESSION_BUS_ADDRESS`, or the socket `bus` in `XDG_RUNTIME_DIR`.
    ///
    /// Returns nil without either, and for addresses that start a program (`unixexec:`, `autolaunch:`) or lead to another
    /// machine (`tcp:`).
    init?(in environment: [String: String]) {
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty {
            guard Self.isLocal(address) else { return nil }
            self.address = address
        } else if let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/"),
            Self.isSocket("\(folder)/bus")
        {
            address = "unix:path=\(Self.escaped("\(folder)/bus"))"
        } else {
            return nil
        }
    }

    private static func isLocal(_ address: String) -> Bool {
        guard address.utf8.count <= Limits.busAddress, address.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            return false
        }
        let alternatives = address.split(separator: ";", omittingEmptySubsequences: true)
        return !alternatives.isEmpty
            && alternatives.allSatisfy { $0.hasPrefix("unix:path=") || $0.hasPrefix("unix:abstract=") }
    }

    private static func isSocket(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }

    /// D-Bus specification, "Server Addresses": all other bytes are written as % and two hexadecimal digits.
    private static func escaped(_ path: String) -> String {
        path.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "/"),
                UInt8(ascii: "."):
                String(UnicodeScalar(byte))
            default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }.joined()
    }
}
