internal import AuthAPI
internal import SQLStore
public import Secrets

/// Makes invitations by the operator's order.
public enum Inviting {
    /// What was made.
    public struct Report: Equatable, Sendable {
        /// The new codes, which cannot be shown again.
        public let codes: [String]
        /// When they expire, in seconds since 1970.
        public let expires: Int64
        /// How many invitations are good now, with these.
        public let open: Int
    }

    /// How many invitations can be made at once.
    public static let counts = 1...Limits.invitationsAtOnce
    /// For how many hours an invitation can be good.
    public static let hours = Limits.invitationHours

    /// Makes invitations.
    ///
    /// - Parameters:
    ///   - count: how many, in ``counts``.
    ///   - validFor: for how many hours they are good, in ``hours``.
    /// - Throws: what keeps the store from opening, and ``StartupError/otherMasterKey``.
    public static func invite(
        _ count: Int, validFor: Int, _ configuration: ServerConfiguration, home: ServerHome,
        passphrase: borrowing SecretBytes
    ) async throws -> Report {
        precondition(counts.contains(count) && hours.contains(validFor), "the caller checks what it is given")
        // Whoever cannot open the vault has no orders to give.
        let sealer = try await home.sealer(passphrase: passphrase, random: SystemRandom())
        return try await home.withExistingDatabase(configuration.store) { database in
            try await InvitationIssuance(
                database: database, sealer: sealer, clock: Timestamp.now, random: SystemRandom()
            ).issue(count, validFor: .hours(Int64(validFor)))
        }
    }
}

/// Issues invitations: codes with which people make accounts.
struct InvitationIssuance: Sendable {
    let database: any Database
    let sealer: ColumnSealer
    let clock: @Sendable () -> Timestamp
    let random: any RandomSource

    /// Issues so many invitations.
    ///
    /// - Throws: ``StartupError/olderTables``, ``StartupError/otherMasterKey``.
    func issue(_ count: Int, validFor span: Timestamp.Span) async throws -> Inviting.Report {
        let now = clock()
        let expires = now.adding(span)
        guard try await Migrator.isCurrent(database, with: AuthTables.migrations) else {
            throw StartupError.olderTables
        }
        let codes = (0..<count).map { _ in InvitationCode(random: random) }
        let events = SecurityEventLog(sealer: sealer, random: random, reporting: nil)
        let hashes = codes.map(\.hash)
        let open: Int = try await database.write { transaction in
            try sealer.requireOpening(in: transaction)
            for hash in hashes { try Invitations.add(hash, until: expires, in: transaction) }
            try events.note(
                .invitationsMade, account: nil, EventDetails(nil, reason: "\(count)"), at: now, in: transaction)
            return try Invitations.count(at: now, in: transaction)
        }
        return Inviting.Report(codes: codes.map(\.text), expires: expires.seconds, open: open)
    }
}
