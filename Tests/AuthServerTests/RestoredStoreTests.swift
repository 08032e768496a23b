internal import AuthStore
internal import Foundation
internal import Secrets
internal import StoreTestSupport
internal import TestSupport
internal import Testing
internal import Tokens

@testable internal import AuthServer
@testable internal import AuthServerTestSupport
@testable internal import SQLStore

@Suite("A server on a restored store")
final class RestoredStoreTests {
    private let folder: TemporaryFolder
    private var copy: String { "\(folder.path)/copy.sqlite" }

    init() throws { folder = try TemporaryFolder() }

    private func open(_ name: String) async throws -> SQLiteDatabase {
        try await .migrated(at: "\(folder.path)/\(name)/fueki.sqlite", to: AuthTables.migrations)
    }

    @Test("a restore voids challenges and proofs, since it is unknown which were used after the copy was made")
    func restoreSpent() async throws {
        let database = try await open("store")
        let configuration = try TestServer.configuration()
        func start(_ database: SQLiteDatabase) async throws -> KeyRing.Snapshot {
            try await AuthServer(
                configuration, sealer: sealer, database: database, clock: { now }, random: SystemRandom(),
                logger: RecordingLog().logger
            ).keys.current
        }
        let before = try await start(database)
        try await SQLiteBackup.make(of: database, at: copy, holding: AuthTables.contents)
        await database.close()
        try FileManager.default.createDirectory(atPath: "\(folder.path)/new", withIntermediateDirectories: false)
        _ = try await AuthTables.restore(copy, to: "\(folder.path)/new/fueki.sqlite", at: now)
        let restored = try await open("new")
        let after = try await start(restored)
        await restored.close()
        let challenge = before.challenge.authenticate([1])
        #expect(!after.challenges.contains { $0.isValid(challenge, for: [1]) })
        #expect(after.nonces.issue(now: now) != before.nonces.issue(now: now))
        #expect(after.verification.document == before.verification.document)
    }
}
