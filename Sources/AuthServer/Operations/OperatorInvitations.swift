internal import AuthStore
internal import SQLStore
public import Secrets
internal import ServerAudit
internal import ServerHTTP
internal import Time

/// Makes invitations by order of the operator.
public enum Inviting {
    /// The result of making invitations.
    public struct Report: Equatable, Sendable {
        /// The new codes, which cannot be shown again.
        public let codes: [String]
        /// The time when they expire, in seconds since 1970.
        public let expires: Int64
        /// The number of valid invitations, including the new ones.
        public let open: Int
    }

    /// The number of invitations that can be made at once.
    public static let counts = 1...Limits.invitationsAtOnce
    /// The number of hours for which an invitation can be valid.
    public static let hours = Limits.invitationHours

    /// Makes invitations.
    ///
    /// - Parameters:
    ///   - count: the number of invitations, in ``counts``.
    ///   - validFor: the number of hours for which they are valid, in ``hours``.
    /// - Throws: ``StartupError/otherMasterKey``, and the errors of opening the store.
    public static func invite(
        _ count: Int, validFor: Int, _ configuration: ServerConfiguration, home: ServerHome,
        passphrase: borrowing SecretBytes
    ) async throws -> Report {
        precondition(counts.contains(count) && hours.contains(validFor), "the caller checks what it is given")
        // Only an operator who can open the vault may give orders.
        let sealer = try await home.sealer(passphrase: passphrase, random: SystemRandom())
        return try await home.withExistingDatabase(configuration.store) { database in
            try await InvitationIssuance(
                database: database, sealer: sealer, clock: Timestamp.now, random: SystemRandom(),
                audit: AuditOutbox.ofOperator(configuration)
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
    /// The way to the audit log; nil without one.
    var audit: AuditOutbox?

    /// Issues a number of invitations.
    ///
    /// - Throws: ``StartupError/olderTables``, ``StartupError/otherMasterKey``.
    func issue(_ count: Int, validFor span: Timestamp.Span) async throws -> Inviting.Report {
        let now = clock()
        let expires = now.adding(span)
        guard try await Migrator.isCurrent(database, with: AuthTables.migrations) else {
            throw StartupError.olderTables
        }
        let codes = (0..<count).map { _ in InvitationCode(random: random) }
        let events = SecurityEventLog(sealer: sealer, random: random, reporting: nil, audit: audit)
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
