internal import Encoding
internal import Synchronization
internal import Testing

/// A session that is kept alive over real sockets: a device, and its last refresh token.
final class Session: Sendable {
    let device: Device
    private struct State {
        var token: String
        var rotations = 0
        var firstRotation: ContinuousClock.Instant?
    }

    private let state: Mutex<State>

    /// - Parameter token: the first one.
    init(_ device: Device, token: String) {
        self.device = device
        state = Mutex(State(token: token))
    }

    /// The last token received.
    var token: String { state.withLock { $0.token } }

    /// The number of rotations.
    var rotations: Int { state.withLock { $0.rotations } }

    /// The time of the first rotation.
    var firstRotation: ContinuousClock.Instant? { state.withLock { $0.firstRotation } }

    /// Rotates once, whatever happens to the server meanwhile: a token without an answer is presented again.
    func rotate() async throws {
        let token = token
        let answer = try await device.refreshUntilAnswered(token)
        try #require(answer.status == 200, "it was logged out: \(answer)")
        let next = try #require(answer.refreshToken)
        // Exactly one successor: the next generation, without gaps.
        #expect(try Self.generation(of: next) == Self.generation(of: token) + 1)
        state.withLock { state in
            state.token = next
            state.rotations += 1
            state.firstRotation = state.firstRotation ?? .now
        }
    }

    /// Sessions of one account, each on a device of its own.
    static func begin(_ count: Int, at address: String, as publicURL: String? = nil) async throws -> [Session] {
        let passkey = try Passkey()
        let first = Device(at: address, as: publicURL, with: passkey)
        var sessions = [Session(first, token: try #require(try await first.signUp().refreshToken))]
        while sessions.count < count {
            let device = Device(at: address, as: publicURL, with: passkey)
            sessions.append(Session(device, token: try #require(try await device.signIn().refreshToken)))
        }
        return sessions
    }

    /// The generation in a token's text: `version 1 | key number 1 | family 16 | generation 4 | …`.
    static func generation(of token: String) throws -> Int {
        let bytes = try Base64URL.decode(token).dropFirst(18).prefix(4)
        try #require(bytes.count == 4)
        return bytes.reduce(0) { $0 << 8 | Int($1) }
    }
}
