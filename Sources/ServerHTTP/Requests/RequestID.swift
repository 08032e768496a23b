internal import HTTPTypes
package import Hummingbird
package import Secrets
internal import Synchronization

/// Issues request ids, by which a person can tell the operator which request failed: 16 random bytes in hexadecimal
/// digits.
package final class RequestIDs: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var used = 0
    }

    private static let size = 16
    /// The number of ids for which random bytes are fetched at once: one system call per id would cost as much as the
    /// rest of the log line.
    private static let atOnce = 256
    private static let digits = Array("0123456789abcdef".utf8)
    /// The highest number of characters of an id that a proxy may give.
    private static let longest = 64

    private let random: any RandomSource
    private let state = Mutex(State())

    package init(random: any RandomSource) { self.random = random }

    /// Returns a new id.
    package func next() -> String {
        state.withLock { state in
            if state.used >= state.bytes.count {
                state.bytes = random.publicBytes(count: Self.size * Self.atOnce)
                state.used = 0
            }
            let bytes = state.bytes[state.used..<(state.used + Self.size)]
            state.used += Self.size
            return String(unsafeUninitializedCapacity: 2 * Self.size) { text in
                var place = 0
                for byte in bytes {
                    text[place] = Self.digits[Int(byte >> 4)]
                    text[place + 1] = Self.digits[Int(byte & 15)]
                    place += 2
                }
                return place
            }
        }
    }

    /// Returns the id of a request: the id that a trusted proxy gave in `X-Request-Id`, or a new one.
    package func id(of request: Request, peer: ClientAddress, transport: Ingress) -> String {
        if case .behindProxy = transport, transport.trusts(peer), let given = request.headers[.xRequestID],
            Self.isTakenOver(given)
        {
            return given
        }
        return next()
    }

    /// Returns whether a proxy's text can be used unchanged in the log and in a header.
    package static func isTakenOver(_ text: String) -> Bool {
        (1...longest).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}

/// The request that the current task works on.
package enum RequestScope {
    /// The id of the request: the log writes it beside every security event. It is a task-local value, since events are
    /// reported far below the routes.
    @TaskLocal package static var id: String?
}
