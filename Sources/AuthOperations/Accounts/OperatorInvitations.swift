internal import AuthServer
public import AuthSettings
internal import AuthStore
internal import SQLStore
public import Secrets
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
    /// - Throws: `StartupError.otherMasterKey`, and the errors of opening the store.
    public static func invite(
        _ count: Int, validFor: Int, _ configuration: ServerConfiguration, home: ServerHome,
        passphrase: borrowing SecretBytes
    ) async throws -> Report {
        precondition(counts.contains(count) && hours.contains(validFor), "the caller checks what it is given")
        return try await OperatorStore.with(configuration, home: home, passphrase: passphrase) {
            try await issue(count, validFor: .hours(Int64(validFor)), in: $0)
        }
    }

    /// Issues a number of invitations: codes with which people make accounts.
    ///
    /// - Throws: `StartupError.olderTables`, `StartupError.otherMasterKey`.
    static func issue(
        _ count: Int, validFor span: Timestamp.Span, in store: OperatorStore
    ) async throws -> Report {
        try await store.requireCurrentTables()
        let now = store.clock()
        let expires = now.adding(span)
        let codes = (0..<count).map { _ in InvitationCode(random: store.random) }
        let hashes = codes.map(\.hash)
        let open: Int = try await store.database.write { transaction in
            try store.sealer.requireOpening(in: transaction)
            for hash in hashes { try Invitations.add(hash, until: expires, in: transaction) }
            try store.events.note(
                .invitationsMade, account: nil, EventDetails(nil, reason: "\(count)"), at: now, in: transaction)
            return try Invitations.count(at: now, in: transaction)
        }
        return Report(codes: codes.map(\.text), expires: expires.seconds, open: open)
    }
}
