internal import AuthAPI
internal import Secrets
internal import TestSupport
internal import Testing

@testable internal import AuthServer
@testable internal import SQLStore

/// The databases that every test of the store runs on.
enum StoreUnderTest: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case sqlite = "SQLite"
    case postgreSQL = "PostgreSQL"

    /// Those that are on this machine. Where CI says it is one, all of them, so that one that is missing is a failure.
    static var expected: [StoreUnderTest] { Peer.postgreSQL.isExpected ? allCases : [.sqlite] }

    var testDescription: String { rawValue }

    /// Opens an empty database with all tables, and closes it afterwards.
    func with<Result>(_ body: (any Database) async throws -> Result) async throws -> Result {
        try await withEmpty { database async throws in
            try await Migrator.migrate(database, at: now, to: AuthTables.migrations)
            return try await body(database)
        }
    }

    /// Opens an empty database, and closes it afterwards.
    func withEmpty<Result>(_ body: (any Database) async throws -> Result) async throws -> Result {
        try await withEmpty(openedTimes: 1) { try await body($0[0]) }
    }

    /// Opens an empty database so many times, as that many servers would.
    func withEmpty<Result>(openedTimes times: Int, _ body: ([any Database]) async throws -> Result) async throws
        -> Result
    {
        let folder = try TemporaryFolder()
        let open: () async throws -> any Database
        switch self {
        case .sqlite:
            let path = "\(folder.path)/store/fueki.sqlite"
            open = { try await SQLiteDatabase(at: path) }
        case .postgreSQL:
            let address = try PostgreSQLAddress(try PostgreSQL.shared.get().makeDatabase())
            open = { try await PostgreSQLDatabase(at: address, connections: 4) }
        }
        var databases: [any Database] = []
        do {
            for _ in 0..<times { databases.append(try await open()) }
            let result = try await body(databases)
            for database in databases { await database.close() }
            return result
        } catch {
            for database in databases { await database.close() }
            throw error
        }
    }
}

/// The time of the tests.
let now = Timestamp(milliseconds: 1_764_000_000_123)

extension Timestamp {
    func plus(_ milliseconds: Int64) -> Timestamp { adding(Span(milliseconds: milliseconds)) }
}

/// An id whose bytes are all this one.
func id<Named>(_ byte: UInt8, as type: Identifier<Named>.Type = Identifier<Named>.self) -> Identifier<Named> {
    guard let id = Identifier<Named>(bytes: [UInt8](repeating: byte, count: 16)) else { preconditionFailure("16") }
    return id
}

func bytes(_ byte: UInt8, _ count: Int = 32) -> [UInt8] { [UInt8](repeating: byte, count: count) }

/// A key for sealing whose bytes are all this one.
func sealingKey(_ byte: UInt8) -> SecretBytes {
    SecretBytes(count: 32) { $0.initializeMemory(as: UInt8.self, repeating: byte) }
}

let sealer = ColumnSealer(key: sealingKey(7), number: 1, random: SystemRandom())

/// An account with one device and one session of it.
struct Household {
    let account: AccountRow
    let device: DeviceRow
    let session: SessionRow

    /// - Parameter number: in all ids and hashes, so that two are told apart.
    init(_ number: UInt8) {
        account = AccountRow(id: id(number), name: "account \(number)", createdAt: now)
        device = DeviceRow(
            id: id(number), account: account.id, keyThumbprint: bytes(number), name: "device \(number)",
            createdAt: now, lastSeenAt: now)
        session = SessionRow(
            id: id(number), account: account.id, device: device.id, keyThumbprint: bytes(number), generation: 0,
            currentHash: bytes(number), recent: [], issuedAt: now, idleExpiresAt: now.plus(1000),
            expiresAt: now.plus(2000), lastUsedAt: now, authTime: now, acr: "urn:fueki:aal2", amr: "hwk user",
            scope: "openid")
    }

    func add(in transaction: some Transaction) throws(StoreError) {
        try Accounts.add(account, sealer: sealer, in: transaction)
        guard try Devices.add(device, sealer: sealer, in: transaction) else { throw .conflict }
        try Sessions.add(session, in: transaction)
    }

    func passkey(_ credential: UInt8) -> PasskeyRow {
        PasskeyRow(
            credentialID: bytes(credential, 20), account: account.id, publicKey: [1, 2, 3], algorithm: -7,
            signCount: 5, isBackupEligible: true, isBackedUp: false, isUserVerificationInitialized: true,
            transports: "internal hybrid", aaguid: bytes(9, 16), attestationFormat: "packed",
            attestationTrust: "basic", attestation: [4, 5, 6], label: "telephone", createdAt: now)
    }
}
