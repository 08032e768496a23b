internal import Foundation
internal import Synchronization

/// A registered user who stays within the limits of an account and makes the most expensive requests. The account has
/// as many ended sessions as two days of sign-ins leave, and many sessions request its lists and exports at once.
final class Adversary: Sendable {
    /// The number of sessions that send requests, each as often as its limit allows, and the number of concurrent ones.
    private static let sessions = 40
    private static let atOnce = 8
    private static let endedSessions = 86_400
    private static let paths = [
        "/api/auth/sessions", "/api/auth/devices", "/api/auth/session", "/api/account/export", "/api/auth/passkeys",
    ]

    private struct Failed: Error {}

    private let counts = Mutex<(asked: Int, answered: Int)>((0, 0))

    /// The number of requests that were sent, and the number that were not refused.
    var result: (asked: Int, answered: Int) { counts.withLock { $0 } }

    /// Signs up, fills the account, and begins to send requests.
    ///
    /// - Parameters:
    ///   - port: the port of the server.
    ///   - store: the path of the server's SQLite file, into which the ended sessions are written.
    init(port: UInt16, store: String) {
        do {
            var client = try Client(port: port, url: "http://localhost:\(port)")
            try client.signUp()
            let tokens = try (0..<Self.sessions).map { _ in try client.signInForTokens().access }
            try Self.fill(client.account, in: store)
            for first in 0..<Self.atOnce {
                let own = stride(from: first, to: tokens.count, by: Self.atOnce).map { tokens[$0] }
                // The value is handed over to the only thread that uses it.
                nonisolated(unsafe) let other = try client.onAnotherConnection(port: port)
                let thread = Thread { [self] in ask(with: other, own) }
                thread.stackSize = 1 << 20
                thread.start()
            }
        } catch {
            fatalError("the adversary has no account: \(error)")
        }
    }

    private static func fill(_ account: String, in store: String) throws {
        let filling = Process()
        filling.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        filling.arguments = ["python3", "scripts/seed-sessions", store, "--ended", account, "\(endedSessions)"]
        try filling.run()
        filling.waitUntilExit()
        guard filling.terminationStatus == 0 else { throw Failed() }
    }

    private func ask(with client: Client, _ tokens: [String]) {
        var (client, tokens) = (client, tokens)
        var number = 0
        while true {
            let path = Self.paths[number / tokens.count % Self.paths.count]
            let status = try? client.get(path, accessToken: tokens[number % tokens.count])
            counts.withLock { counts in
                counts.asked += 1
                if status == 200 { counts.answered += 1 }
            }
            number += 1
            // Sign-ins cost the most and are limited by account, so the cost of a refusal counts as well.
            if number % 10 == 0, let next = try? client.signInForTokens().access {
                tokens[number / 10 % tokens.count] = next
            }
            // Each session sends one request a second.
            usleep(useconds_t(1_000_000 * Self.atOnce / Self.sessions))
        }
    }
}
