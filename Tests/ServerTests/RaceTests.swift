internal import AsyncHTTPClient
internal import Foundation
internal import ServerHTTP
internal import TestSupport
internal import Testing

extension ServerTests {
    @Suite("Races and crashes", .serialized)
    struct Races {
        @Test("200 concurrent redemptions of one refresh token have one successor, and all receive it")
        func oneSuccessor() async throws {
            let folder = try TemporaryFolder()
            let server = try await RunningServer(home: "\(folder.path)/home", RunningServer.unlimited)
            var configuration = HTTPClient.Configuration()
            configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 200
            let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
            let device = Device(at: server.url, with: try Passkey(), client: client)
            let token = try #require(try await device.signUp().refreshToken)

            let answers = try await withThrowingTaskGroup(of: Device.Answer.self) { group in
                for _ in 0..<200 { group.addTask { try await device.refresh(token) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.count == 200)
            #expect(answers.allSatisfy { $0.status == 200 })
            let successors = Set(answers.compactMap(\.refreshToken))
            #expect(successors.count == 1)
            #expect(try await server.events("refresh_token_reused") == 0)
            let successor = try #require(successors.first)
            #expect(try await device.refresh(successor).status == 200)
            try await client.shutdown()
            try await server.stop()

            // The content of the file as another program sees it: one family, rotated twice, not ended.
            #expect(try Self.families(in: "\(folder.path)/home") == "[(2, None)]")
        }

        /// Returns generation and end of every family in the store.
        private static func families(in home: String) throws -> String {
            let script = """
                import sqlite3, sys
                rows = sqlite3.connect(sys.argv[1]).execute(
                    "SELECT generation, revoked_at FROM refresh_tokens ORDER BY generation").fetchall()
                print(rows)
                """
            return try Program.output(Python.system, ["-c", script, "\(home)/auth.sqlite"])
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }

        @Test("killed at random moments under load, the server loses no issued token, and accepts none twice")
        func killed() async throws {
            let seed = UInt64.random(in: 0...UInt64.max)
            let random = SeededRandom(seed: seed)
            // Each kill takes half a second: FUEKI_KILLS=100 for more of them.
            let kills = ProcessInfo.processInfo.environment["FUEKI_KILLS"].flatMap { Int($0) } ?? 40
            let folder = try TemporaryFolder()
            // No longer than a start may take, even on a busy machine: a token redeemed before it may be redeemed again
            // within this time. A session rotates no more than eight times in it, and waits for the ninth: there are many
            // sessions, and none rotates as often.
            let settings = RunningServer.unlimited.merging(["SESSION_RETRY_SECONDS": "60"]) { _, own in own }
            var server = try await RunningServer(home: "\(folder.path)/home", settings)
            let port = server.port
            // The highest number for one account.
            let accounts = [
                try await Session.begin(48, at: server.url), try await Session.begin(48, at: server.url),
                try await Session.begin(48, at: server.url),
            ]
            let sessions = accounts.flatMap { $0 }
            let first = sessions.map(\.token)

            let rotations = { sessions.reduce(0) { $0 + $1.rotations } }
            // A session rotates six times, in an even share of the kills' rounds. A turn waits for the one before it.
            let turns = 6 * sessions.count
            var running = sessions.map { _ in Task<Void, any Error> {} }
            for round in 0..<kills {
                for turn in (round * turns / kills)..<((round + 1) * turns / kills) {
                    let number = turn % sessions.count
                    running[number] = Task { [before = running[number], session = sessions[number]] in
                        try await before.value
                        try await session.rotate()
                    }
                }
                // A random number of these turns is over, and the others are under way.
                let share = (round + 1) * turns / kills - round * turns / kills
                let enough = rotations() + Int(random.below(share))
                try await Patience.wait(for: "rotations before a kill") { rotations() >= enough }
                try await server.kill()
                server = try await RunningServer(home: "\(folder.path)/home", port: port, settings)
            }
            // A refused session ends with an error.
            for turn in running { try await turn.value }
            #expect(rotations() == turns, "seed \(seed)")
            // Every token that was issued is valid for one more redemption.
            for session in sessions { try await session.rotate() }
            #expect(rotations() == turns + sessions.count, "seed \(seed)")
            #expect(try await server.events("refresh_token_reused") == 0)

            // The first ones were redeemed more than a second ago: beyond the window they end their sessions.
            try await server.stop()
            let strict = settings.merging(["SESSION_RETRY_SECONDS": "1"]) { _, own in own }
            server = try await RunningServer(home: "\(folder.path)/home", port: port, strict)
            for (session, token) in zip(sessions, first).prefix(4) {
                let rotated = try #require(session.firstRotation)
                // The server reads the system's clock, in whole seconds.
                try await Patience.wait(for: "the end of the window") { .now >= rotated + .seconds(2) }
                #expect(try await session.device.refresh(token).code == "invalid_grant")
                #expect(try await session.device.refresh(session.token).code == "invalid_grant")
            }
            #expect(try await server.events("refresh_token_reused") == 4)
            try await server.stop()
        }
    }
}
