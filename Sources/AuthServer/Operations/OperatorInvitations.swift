internal import AuthAPI
internal import Encoding
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
        let database = try await home.existingDatabase(configuration.store)
        do {
            let report = try await invite(
                count, until: Timestamp.now().adding(.hours(Int64(validFor))), at: Timestamp.now(), sealer: sealer,
                random: SystemRandom(), in: database)
            await database.close()
            return report
        } catch {
            await database.close()
            throw error
        }
    }

    static func invite(
        _ count: Int, until expires: Timestamp, at now: Timestamp, sealer: ColumnSealer, random: some RandomSource,
        in database: any Database
    ) async throws -> Report {
        guard try await Migrator.isCurrent(database, with: AuthTables.migrations) else {
            throw StartupError.olderTables
        }
        let codes = (0..<count).map { _ in InvitationCode(random: random) }
        let event = SecurityEventRow(
            id: random.publicBytes(count: 16), account: nil, kind: SecurityEvent.invitationsMade.rawValue, at: now,
            details: EventDetails(nil, reason: "\(count)").json.encoded)
        let hashes = codes.map(\.hash)
        let open: Int = try await database.write { transaction in
            do throws(StoreError) {
                try ServerKeys.requireOpening(by: sealer, in: transaction)
            } catch .unknownSealingKey, .sealIsBroken {
                throw StartupError.otherMasterKey
            }
            for hash in hashes { try Invitations.add(hash, until: expires, in: transaction) }
            try SecurityEvents.add(event, sealer: sealer, in: transaction)
            return try Invitations.count(at: now, in: transaction)
        }
        return Report(codes: codes.map(\.text), expires: expires.seconds, open: open)
    }
}
