internal import Encoding
internal import PinnedHTTP
public import Secrets

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A user and a password for a node (RFC 7617), in guarded memory; prints as `<redacted>`.
///
/// - Warning: Each request makes its header of them, which is in ordinary memory until it is sent.
public final class Credentials: Sendable, CustomStringConvertible, CustomReflectable {
    /// The pair `user:password`.
    private let pair: SecretBytes

    /// The errors of a cookie file.
    public enum CookieFault: Equatable, Sendable {
        /// The file does not exist.
        case missing
        /// The system does not allow reading it.
        case unreadable
        /// It does not contain `user:password` in one line.
        case malformed
    }

    /// Reads the one line of Bitcoin Core's cookie file, `user:password`.
    ///
    /// - Throws: ``NodeError/badCookie(_:)`` for other contents.
    public init(cookie: consuming SecretBytes) throws(NodeError) {
        let length = cookie.withUnsafeBytes { bytes in
            bytes.last == UInt8(ascii: "\n") ? bytes.count - 1 : bytes.count
        }
        pair = cookie.prefix(length)
        let isPair = pair.withUnsafeBytes { bytes in
            bytes.contains(UInt8(ascii: ":")) && bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        }
        guard isPair, length <= NodeLimits.cookieBytes else { throw .badCookie(.malformed) }
    }

    /// Reads Bitcoin Core's cookie file, which is new each time that the node starts.
    ///
    /// - Throws: ``NodeError/badCookie(_:)``.
    public convenience init(cookieFile path: String) throws(NodeError) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .badCookie([ENOENT, ENOTDIR].contains(errno) ? .missing : .unreadable) }
        defer { close(file) }
        // Reads no more than fits: a longer file is not a cookie.
        var length = 0
        let room = SecretBytes(count: NodeLimits.cookieBytes) { memory in
            length = read(file, memory.baseAddress, memory.count)
        }
        guard length >= 0 else { throw .badCookie(.unreadable) }
        guard (1..<NodeLimits.cookieBytes).contains(length) else { throw .badCookie(.malformed) }
        try self.init(cookie: room.prefix(length))
    }

    /// Reads the part of a URL before the `@`, percent-encoded.
    init(userInfo text: Substring) throws(NodeAddress.Fault) {
        guard let pair = URLText.userAndPassword(in: text) else { throw .credentials }
        self.pair = pair
    }

    /// The value of the `Authorization` header.
    var header: String {
        pair.withUnsafeBytes { "Basic " + Base64.encode($0) }
    }

    public var description: String { "<redacted>" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
