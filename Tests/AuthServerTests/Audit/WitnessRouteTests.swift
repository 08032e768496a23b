internal import AuthAPI
internal import AuthSettings
internal import Foundation
internal import HTTPTypes
internal import Secrets
internal import ServerHTTP
internal import StoreTestSupport
internal import Synchronization
internal import TestSupport
internal import Testing
internal import Time

@testable internal import AuditLog
@testable internal import AuthServer
@testable internal import AuthServerTestSupport
@testable internal import SQLStore
@testable internal import ServerAudit

@Suite("The witness of others' logs")
struct WitnessRouteTests {
    private static let path = "/audit/add-checkpoint"

    /// A log of a device, of which the test knows the key.
    private final class DeviceLog: Sendable {
        let signer: Ed25519Signer
        /// The hashes of its leaves.
        let leaves: [TreeHash]

        init(_ name: String = "phone.example/log", _ seed: UInt8 = 1, forkedAfter common: Int = 200) throws {
            signer = try Ed25519Signer(
                name: name,
                seed: SecretBytes(count: 32) { memory in for index in memory.indices { memory[index] = seed } })
            leaves = (0..<200).map { .leaf([UInt8($0), $0 < common ? 0 : seed]) }
        }

        private static func root(_ leaves: ArraySlice<TreeHash>) -> TreeHash {
            guard leaves.count > 1 else { return leaves.first ?? .empty }
            var split = 1
            while split * 2 < leaves.count { split *= 2 }
            return .node(root(leaves.prefix(split)), root(leaves.dropFirst(split)))
        }

        private struct Tree: TreeSource {
            let leaves: [TreeHash]
            func tile(level: Int, index: UInt64, width: Int) throws(AuditLogError) -> [TreeHash] {
                guard level == 0, index == 0, width <= leaves.count else { throw .outsideLimits }
                return Array(leaves.prefix(width))
            }
        }

        func request(from old: UInt64, to size: UInt64, key: Ed25519Signer? = nil) throws -> WitnessRequest {
            let signer = key ?? signer
            let checkpoint = try Checkpoint(
                origin: signer.key.name, size: size, root: Self.root(leaves.prefix(Int(size))))
            let signature = try signer.sign([UInt8](checkpoint.text.utf8))
            return WitnessRequest(
                old: old, proof: try Tree(leaves: leaves).consistencyProof(from: old, to: size),
                checkpoint: SignedNote(text: checkpoint.text, signatures: [.init(by: signer.key, signature)]))
        }
    }

    /// Runs servers that witness logs.
    private static func with(
        _ store: StoreUnderTest = .sqlite, replicas: Int = 1, of logs: [NoteKey],
        _ body: @escaping @Sendable (String, [TestServer]) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        try (["# the devices", ""] + logs.map(\.text)).joined(separator: "\n").write(
            toFile: "\(path)/logs", atomically: false, encoding: .utf8)
        try await TestServer.withReplicas(
            replicas, store,
            each: { number, configuration in
                configuration.witness.logsPath = "\(path)/logs"
                configuration.witness.folder = "\(path)/\(number)/kept"
            }
        ) { try await body(path, $0) }
        _ = folder
    }

    private static func ask(_ server: TestServer, _ request: WitnessRequest) async throws -> Answer {
        try await server.send(.post, path, body: request.encoded)
    }

    private static func signature(_ answer: Answer) throws -> SignedNote.Signature {
        #expect(answer.status == 200)
        let line = try #require(answer.text.split(separator: "\n", omittingEmptySubsequences: false).first)
        #expect(answer.text == line + "\n")
        return try SignedNote.Signature(line: line)
    }

    @Test(
        "cosigns a log that grows, and refuses with the statuses of the specification",
        arguments: StoreUnderTest.expected)
    func answers(_ store: StoreUnderTest) async throws {
        let (log, stranger) = (try DeviceLog(), try DeviceLog("stranger.example/log", 2))
        try await Self.with(store, of: [log.signer.key]) { _, servers in
            let server = servers[0]
            let key = try NoteKey(
                parsing: String(try await server.send(.get, "/audit/witness-key").text.dropLast()))
            #expect(key.name == "localhost:8420/witness" && key.kind == .cosignature)

            let first = try log.request(from: 0, to: 9)
            let signature = try Self.signature(try await Self.ask(server, first))
            #expect(
                first.checkpoint.adding([signature]).cosignatureTimes(by: key) == [UInt64(server.clock.now.seconds)])
            _ = try Self.signature(try await Self.ask(server, try log.request(from: 9, to: 20)))

            // 409 has the size that the log asks for: C2SP tlog-witness.
            let conflict = try await Self.ask(server, try log.request(from: 9, to: 30))
            #expect(conflict.status == 409 && conflict.text == "20\n")
            #expect(conflict.headers[.contentType] == "text/x.tlog.size")
            let fork = try DeviceLog(forkedAfter: 5)
            let other = try DeviceLog("phone.example/log", 7)
            #expect(try await Self.ask(server, try fork.request(from: 20, to: 30)).status == 422)
            // Another root of the last size is a conflict.
            let root = try await Self.ask(server, try fork.request(from: 20, to: 20))
            #expect(root.status == 409 && root.text == "20\n")
            #expect(root.headers[.contentType] == "text/x.tlog.size")
            #expect(try await Self.ask(server, try other.request(from: 20, to: 30)).status == 403)
            #expect(try await Self.ask(server, try stranger.request(from: 0, to: 3)).status == 404)
            for body in ["", "old 20", "old x\n\n", "old 20\n\nno checkpoint\n"] {
                #expect(try await server.send(.post, Self.path, body: Array(body.utf8)).status == 400, "\(body)")
            }
            let large = try await server.send(
                .post, Self.path, body: [UInt8](repeating: 0x20, count: AuditLimits.witnessRequest + 1))
            #expect(large.problem == Problem(.tooLarge))
            // Nothing of that has changed its state.
            _ = try Self.signature(try await Self.ask(server, try log.request(from: 20, to: 21)))
        }
    }

    @Test("a server without logs to witness, or without a log of its own, has nothing at these addresses")
    func absent() async throws {
        try await TestServer.with { server in
            let answers = [
                try await server.send(.get, "/audit/checkpoint"), try await server.send(.get, "/audit/witness-key"),
                try await server.send(.post, Self.path, body: []),
            ]
            #expect(answers.map(\.problem) == [Problem](repeating: Problem(.notFound), count: 3))
        }
    }

    @Test("replicas are one witness: what one has cosigned, the other one knows", arguments: StoreUnderTest.expected)
    func replicas(_ store: StoreUnderTest) async throws {
        let log = try DeviceLog()
        try await Self.with(store, replicas: 2, of: [log.signer.key]) { _, servers in
            #expect(try await Self.ask(servers[0], try log.request(from: 0, to: 9)).status == 200)
            let conflict = try await Self.ask(servers[1], try log.request(from: 0, to: 12))
            #expect(conflict.status == 409 && conflict.text == "9\n")
            #expect(try await Self.ask(servers[1], try log.request(from: 9, to: 12)).status == 200)
            // Two histories at the same time: one is cosigned at most.
            let fork = try DeviceLog(forkedAfter: 12)
            let requests = [try log.request(from: 12, to: 40), try fork.request(from: 12, to: 41)]
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for (server, request) in zip(servers, requests) {
                    group.addTask { try await Self.ask(server, request).status }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.filter { $0 == 200 }.count == 1, "\(statuses)")
        }
    }

    @Test("another replica that cosigned in between makes this one refuse")
    func overtaken() async throws {
        let (log, fork) = (try DeviceLog(), try DeviceLog(forkedAfter: 9))
        try await Self.with(replicas: 2, of: [log.signer.key]) { _, servers in
            #expect(try await Self.ask(servers[0], try log.request(from: 0, to: 9)).status == 200)
            let request = try fork.request(from: 9, to: 15)
            // Between reading the last state and storing the new one, the other replica cosigns.
            servers[1].database.afterNextRead {
                let answer = try await Self.ask(servers[0], request)
                #expect(answer.status == 200)
            }
            #expect(try await Self.ask(servers[1], try log.request(from: 9, to: 14)).status == 500)
            #expect(try await Self.ask(servers[1], try log.request(from: 9, to: 14)).text == "15\n")
        }
    }

    @Test("a checkpoint that could not be stored is not cosigned")
    func notStored() async throws {
        let log = try DeviceLog()
        try await Self.with(of: [log.signer.key]) { path, servers in
            servers[0].database.failWrites(with: .diskFull)
            #expect(try await Self.ask(servers[0], try log.request(from: 0, to: 9)).status == 500)
            servers[0].database.failWrites(with: nil)
            try FileManager.default.removeItem(atPath: "\(path)/0/kept")
            try "x".write(toFile: "\(path)/0/kept", atomically: false, encoding: .utf8)
            #expect(try await Self.ask(servers[0], try log.request(from: 0, to: 9)).status == 500)
        }
    }

    @Test("every checkpoint is kept, and a repeated one costs the disk nothing for a minute")
    func kept() async throws {
        let log = try DeviceLog()
        try await Self.with(of: [log.signer.key]) { path, servers in
            let server = servers[0]
            for size: UInt64 in 1...5 {
                #expect(try await Self.ask(server, try log.request(from: size - 1, to: size)).status == 200)
            }
            let folder = try CheckpointFolder(at: "\(path)/0/kept", apartFrom: nil)
            #expect(try folder.count(of: "phone.example/log") == 5)
            let writes = server.database.writes
            let again = try log.request(from: 5, to: 5)
            let first = try await Self.ask(server, again)
            #expect(first.status == 200 && server.database.writes == writes)
            server.clock.advance(.minutes(2))
            let later = try await Self.ask(server, again)
            #expect(later.status == 200 && later.text != first.text && server.database.writes == writes + 1)
            #expect(try folder.count(of: "phone.example/log") == 5)
        }
    }

    @Test("new checkpoints of one log have a limit, which refused and repeated requests do not use up")
    func rate() async throws {
        let (log, other) = (try DeviceLog(), try DeviceLog("laptop.example/log", 3))
        try await Self.with(of: [log.signer.key, other.signer.key]) { _, servers in
            let server = servers[0]
            let limit = UInt64(ServerAuditLimits.witnessedRate.burst)
            for size in 1...limit {
                #expect(try await Self.ask(server, try log.request(from: size - 1, to: size)).status == 200)
                if size.isMultiple(of: 20) { server.clock.advance(Timestamp.Span(milliseconds: 1)) }
                _ = try await Self.ask(server, try log.request(from: size, to: size))
            }
            let refused = try await Self.ask(server, try log.request(from: limit, to: limit + 1))
            #expect(refused.problem?.code == .rateLimited && refused.problem?.retryAfter == 10)
            #expect(try await Self.ask(server, try other.request(from: 0, to: 1)).status == 200)
            server.clock.advance(.seconds(10))
            #expect(try await Self.ask(server, try log.request(from: limit, to: limit + 1)).status == 200)
        }
    }

    @Test("each network has a limit for these addresses")
    func networks() async throws {
        try await TestServer.with(changing: {
            $0.transport = .behindProxy(addresses: [TestServer.peer])
        }) { server in
            for number in 0..<Limits.auditRequests.burst {
                let answer = try await server.send(
                    .get, "/audit/checkpoint", headers: [.xForwardedFor: "203.0.113.\(number % 250)"])
                #expect(answer.status == 404)
            }
            let near: HTTPFields = [.xForwardedFor: "203.0.113.251"]
            let refused = try await server.send(.post, Self.path, headers: near, body: [])
            #expect(refused.problem?.code == .rateLimited)
            #expect(try await server.send(.get, "/audit/witness-key", headers: near).problem?.code == .rateLimited)
            let far = try await server.send(.get, "/audit/checkpoint", headers: [.xForwardedFor: "203.0.114.1"])
            #expect(far.status == 404)
        }
    }

    @Test("a folder that has as many checkpoints of a log as are kept takes no more")
    func full() async throws {
        let log = try DeviceLog()
        try await Self.with(of: [log.signer.key]) { path, servers in
            #expect(try await Self.ask(servers[0], try log.request(from: 0, to: 1)).status == 200)
            let folders = try FileManager.default.contentsOfDirectory(atPath: "\(path)/0/kept")
            let folder = "\(path)/0/kept/\(try #require(folders.first))"
            for number in 1..<ServerAuditLimits.witnessedCheckpoints {
                #expect(
                    FileManager.default.createFile(atPath: "\(folder)/\(number + 1_000)-0000", contents: nil))
            }
            // A server that starts counts the files.
            let again = try await servers[0].startedAgain()
            let witnessing = try #require(again.witnessing)
            let refused = try await witnessing.answer(to: try log.request(from: 1, to: 2).encoded)
            #expect(refused == .failure(.notStored))
            // The last one is cosigned again: it takes no place.
            let same = try await witnessing.answer(to: try log.request(from: 1, to: 1).encoded)
            #expect(throws: Never.self) { try same.get() }
        }
    }

    @Test("the file of keys is read again on demand; a wrong one leaves the old keys, and keeps a server from starting")
    func reload() async throws {
        let (log, other) = (try DeviceLog(), try DeviceLog("laptop.example/log", 3))
        try await Self.with(of: [log.signer.key]) { path, servers in
            let server = servers[0]
            let file = "\(path)/logs"
            #expect(try await Self.ask(server, try other.request(from: 0, to: 1)).status == 404)
            try "\(other.signer.key.text)\n".write(toFile: file, atomically: false, encoding: .utf8)
            await server.server.reload()
            #expect(try await Self.ask(server, try other.request(from: 0, to: 1)).status == 200)
            #expect(try await Self.ask(server, try log.request(from: 0, to: 1)).status == 404)
            for (wrong, reason) in [
                ("x", "line 1 is not the key of a log"),
                ("\(log.signer.key.text)\n#\n\(log.signer.key.text)", "line 3 names a log a second time"),
                (server.server.witnessing?.key.text ?? "", "line 1 is not the key of a log"),
            ] {
                try wrong.write(toFile: file, atomically: false, encoding: .utf8)
                await server.server.reload()
                #expect(try await Self.ask(server, try other.request(from: 1, to: 1)).status == 200)
                await #expect(throws: StartupError.witnessedLogs(file, reason)) { _ = try await server.startedAgain() }
            }
            let many = (0...ServerAuditLimits.witnessedLogs).map { number in
                try? NoteKey(name: "log\(number)", kind: .signature, publicKey: [UInt8](repeating: 1, count: 32)).text
            }
            try many.compactMap { $0 }.joined(separator: "\n").write(toFile: file, atomically: false, encoding: .utf8)
            await #expect(throws: StartupError.witnessedLogs(file, "has more than 256 keys")) {
                _ = try await server.startedAgain()
            }
            try FileManager.default.removeItem(atPath: file)
            await #expect(throws: StartupError.witnessedLogs(file, "cannot be read")) {
                _ = try await server.startedAgain()
            }
        }
    }

    @Test("the last checkpoint of the server's own log is public, and verifies with its key")
    func checkpoint() async throws {
        try await AuditFixture.with { _, servers in
            let server = servers[0]
            let key = try AuditKeys(server.server.keys.current).signer(ofLog: AuditFixture.name()).key
            let first = try await server.send(.get, "/audit/checkpoint")
            #expect(first.status == 200 && first.headers[.cacheControl] == "public, max-age=60")
            let begin = try #require(Checkpoint(try SignedNote(decoding: first.body), signedBy: key))
            try await server.device().signUp(with: server.authenticator())
            try await server.copyEvents()
            #expect(try await server.send(.get, "/audit/checkpoint").body == first.body, "it is not signed on request")
            server.clock.advance(ServerAuditLimits.checkpointAge)
            try await server.copyEvents()
            let later = try await server.send(.get, "/audit/checkpoint")
            let end = try #require(Checkpoint(try SignedNote(decoding: later.body), signedBy: key))
            #expect(end.size == begin.size + 3)
        }
    }
}
