internal import AuthAPI
internal import AuthSettings
internal import AuthStore
internal import Foundation
internal import ServerHTTP
internal import StoreTestSupport
internal import TestSupport
internal import Testing
internal import Time

@testable internal import AuditLog
@testable internal import AuthServer
@testable internal import AuthServerTestSupport
@testable internal import SQLStore
@testable internal import ServerAudit

/// What was done to the log while the server was not running.
@Suite("Starting with an audit log")
struct AuditStartTests {
    /// Runs a server that has logged a sign-up, closes its log, and lets the test change files.
    private static func stopped(
        inOrder: Bool = true, _ body: @escaping @Sendable (AuditFixture, TestServer) async throws -> Void
    ) async throws {
        try await AuditFixture.with { bench, servers in
            let server = servers[0]
            try await server.device().signUp(with: server.authenticator())
            try await server.copyEvents()
            if inOrder { await server.server.audit?.copying.close() }
            try await body(bench, server)
        }
    }

    private static func refuses(
        _ fault: AuditFault, _ bench: AuditFixture, _ server: TestServer, folder: String? = nil,
        changing: (inout ServerConfiguration) -> Void = { _ in }, at place: SourceLocation = #_sourceLocation
    ) async {
        await #expect(throws: StartupError.auditLog(folder: folder ?? bench.path(), fault), sourceLocation: place) {
            _ = try await server.startedAgain(changing: changing)
        }
    }

    @Test("a log that is as it was is continued, and an end in order is in it", arguments: [true, false])
    func continued(inOrder: Bool) async throws {
        try await Self.stopped(inOrder: inOrder) { bench, server in
            let again = try await server.startedAgain()
            await again.audit?.copying.close()
            #expect(try bench.all().filter { $0.kind == .configured }.count == 2)
            let ends = try bench.records().filter { $0.event == .log(.closed) }
            #expect(ends.count == (inOrder ? 2 : 1))
        }
    }

    @Test("a log that was removed keeps the server from starting", arguments: [true, false])
    func removed(inOrder: Bool) async throws {
        try await Self.stopped(inOrder: inOrder) { bench, server in
            try FileManager.default.removeItem(atPath: bench.path())
            await Self.refuses(.changed, bench, server)
        }
    }

    @Test("a log that was removed with all its checkpoints is still known to the store")
    func removedWithCheckpoints() async throws {
        try await Self.stopped(inOrder: false) { bench, server in
            try FileManager.default.removeItem(atPath: bench.path())
            try FileManager.default.removeItem(atPath: "\(bench.folder.path)/0/checkpoints")
            try FileManager.default.removeItem(atPath: "\(bench.folder.path)/0/secret")
            await Self.refuses(.changed, bench, server)
            // With another name it is another log.
            _ = try await server.startedAgain { $0.audit.name = "server-0.example/second" }
        }
    }

    @Test(
        "a log whose end was cut off, or changed in a byte, keeps the server from starting, although a commit could be unfinished"
    )
    func cut() async throws {
        for removesCheckpoints in [false, true] {
            for isCut in [true, false] {
                try await Self.stopped(inOrder: false) { bench, server in
                    let path = "\(bench.path())/entries-000000000000000"
                    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
                    if isCut { bytes.removeLast(60) } else { bytes[bytes.count - 60] ^= 1 }
                    try bytes.write(to: URL(fileURLWithPath: path))
                    if removesCheckpoints {
                        try FileManager.default.removeItem(atPath: "\(bench.folder.path)/0/checkpoints")
                    }
                    await Self.refuses(.changed, bench, server)
                    // Nothing was changed by the refusal.
                    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
                }
            }
        }
    }

    @Test("a lost secret keeps the server from starting, unless the operator allows a new chain")
    func lostSecret() async throws {
        try await Self.stopped { bench, server in
            try FileManager.default.removeItem(atPath: "\(bench.folder.path)/0/secret/secret")
            await Self.refuses(.secretMissing, bench, server)
            _ = try await server.startedAgain { $0.audit.replacesLostSecret = true }
        }
    }

    @Test("another reader, and another signing key, need another name")
    func others() async throws {
        try await Self.stopped { bench, server in
            await Self.refuses(.otherLog, bench, server) { $0.audit.reader = [UInt8](repeating: 4, count: 32) }
            _ = try await server.database.write { transaction in
                try ServerKeys.removeAll(purpose: KeyPurpose.auditLog.rawValue, in: transaction)
            }
            await Self.refuses(.otherKey, bench, server)
        }
    }

    @Test("folders in one another are refused before anything is written")
    func nested() async throws {
        try await Self.stopped { bench, server in
            let changes: [(inout ServerConfiguration) -> Void] = [
                { $0.audit.secretFolder = $0.audit.folder + "/secret" }, { $0.audit.secretFolder = $0.audit.folder },
                { $0.audit.checkpointFolder = $0.audit.folder + "/kept" },
                { $0.audit.checkpointFolder = String($0.audit.folder.dropLast(4)) },
            ]
            for (number, change) in changes.enumerated() {
                let folder = "\(bench.folder.path)/\(number + 10)/log"
                await Self.refuses(.keyBesideLog, bench, server, folder: folder) { configuration in
                    bench.set(&configuration, replica: number + 10)
                    change(&configuration)
                }
                #expect(!FileManager.default.fileExists(atPath: folder + "/description"))
            }
        }
    }

    @Test("each log has a key of its own, and the keys stay when the others are replaced")
    func keys() async throws {
        try await AuditFixture.with { bench, servers in
            let server = servers[0]
            let keys = server.server.keys.current
            let first = try AuditKeys(keys).signer(ofLog: "a.example/log").key
            #expect(try AuditKeys(keys).signer(ofLog: "b.example/log").key.publicKey != first.publicKey)
            #expect(try AuditKeys(keys).signer(ofWitness: "a.example/log").key.publicKey != first.publicKey)
            for _ in 0..<3 {
                server.clock.advance(.days(30))
                try await server.maintain()
                try await server.copyEvents()
            }
            #expect(try bench.events().filter { $0.kind == .keyRotated }.count == 12)
            #expect(try AuditKeys(server.server.keys.current).signer(ofLog: "a.example/log").key == first)
            let rows = try await server.database.read {
                try ServerKeys.all(purpose: KeyPurpose.auditLog.rawValue, in: $0)
            }
            #expect(rows.count == 1 && rows.first?.retiresAt == nil)
        }
    }
}
