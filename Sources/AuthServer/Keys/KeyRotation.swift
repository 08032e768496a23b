internal import AuditLog
internal import AuthSettings
internal import AuthStore
internal import SQLStore
internal import Secrets
internal import ServerAudit
internal import Time
internal import Tokens

/// Makes missing keys, and the next keys in time. Any number of replicas may run it at once: one of them makes the
/// keys.
struct KeyRotation {
    var database: any Database
    let sealer: ColumnSealer
    let sessions: ServerConfiguration.SessionSettings
    let random: any RandomSource
    /// The way to the audit log, which has each new key; nil without one, and before it is open.
    var audit: AuditOutbox?

    /// A key to be made.
    private struct Need {
        let purpose: KeyPurpose
        let activates: Timestamp
        let number: UInt8
        /// The keys that it replaces, and when they retire.
        let replaced: [[UInt8]]
        let retires: Timestamp
    }

    /// Makes the keys that any purpose needs, and returns the keys afterwards.
    ///
    /// - Throws: ``StoreError``: ``StoreError/unknownSealingKey(_:)`` and ``StoreError/sealIsBroken`` if the keys of
    ///   the store are sealed under another master key.
    func keys(at now: Timestamp) async throws -> KeyRing.Snapshot {
        while true {
            let rows = try await database.read { try Self.rows(in: $0) }
            let needs = try KeyPurpose.allCases.compactMap { try need(for: $0, among: rows, now: now) }
            if needs.isEmpty { return try KeyRing.Snapshot(rows, sealer: sealer, now: now) }
            // A server that cannot open the existing keys must not add any: no other server could open those.
            try await database.read { try ServerKeys.requireOpening(by: sealer, in: $0) }
            // Keys are sealed before the transaction, which may run twice and cannot capture a secret.
            let made = try needs.map { try make($0, now: now) }
            let ids = made.map { _ in random.publicBytes(count: 16) }
            try await database.write { transaction in
                try ServerKeys.lock(in: transaction)
                // Another replica was faster: read the keys again.
                guard try Self.rows(in: transaction) == rows else { return }
                for (key, need) in zip(made, needs) {
                    for id in need.replaced { _ = try ServerKeys.retire(id, at: need.retires, in: transaction) }
                    guard try ServerKeys.add(key, in: transaction) else { throw StoreError.conflict }
                }
                for (key, id) in zip(made, ids) {
                    try audit?.add(.keyRotated, id: id, subject: key.id, at: now, sealer: sealer, in: transaction)
                }
                _ = try ServerKeys.prune(retiredBefore: now.adding(.days(-1)), in: transaction)
            }
        }
    }

    private static func rows(in transaction: any Transaction) throws -> [ServerKeyRow] {
        var rows: [ServerKeyRow] = []
        for purpose in KeyPurpose.allCases {
            rows += try ServerKeys.all(purpose: purpose.rawValue, in: transaction)
        }
        return rows
    }

    /// Returns the key that a purpose needs; nil while the newest key has more than the lead time left.
    private func need(for purpose: KeyPurpose, among rows: [ServerKeyRow], now: Timestamp) throws(StoreError) -> Need? {
        let rows = rows.filter { $0.purpose == purpose.rawValue }
        guard let newest = rows.max(by: { $0.activatesAt < $1.activatesAt }) else {
            return Need(purpose: purpose, activates: now, number: 1, replaced: [], retires: now)
        }
        guard !purpose.isPermanent else { return nil }
        let end = newest.activatesAt.adding(KeyPurpose.period)
        guard end.since(now) <= KeyPurpose.lead else { return nil }
        // The key becomes active after the lead time, even if the server was down when the last one ended: other
        // replicas and verifiers do not have it yet.
        let activates = max(end, now.adding(KeyPurpose.lead))
        // Few keys are in use at once: after 255 keys the first number has long been free.
        return Need(
            purpose: purpose, activates: activates, number: try newest.number % 255 + 1,
            replaced: rows.filter { $0.retiresAt == nil }.map(\.id),
            retires: activates.adding(purpose.remainder(sessions)))
    }

    private func make(_ need: Need, now: Timestamp) throws(StoreError) -> ServerKeyRow {
        let id = random.publicBytes(count: 15) + [need.number]
        let secret =
            switch need.purpose {
            case .accessToken: SigningKey(from: random).exported()
            case .refreshTag, .proofNonce, .challenge, .auditLog, .witness:
                SecretBytes(count: HMACKey.size, from: random)
            }
        return ServerKeyRow(
            id: id, purpose: need.purpose.rawValue, sealed: try ServerKeys.seal(secret, id: id, sealer: sealer),
            createdAt: now, activatesAt: need.activates)
    }
}

extension KeyPurpose {
    /// Returns how long the products of a key are accepted after the next key took over, with an hour for clocks that
    /// differ.
    fileprivate func remainder(_ sessions: ServerConfiguration.SessionSettings) -> Timestamp.Span {
        let hour = Timestamp.Span.hours(1)
        switch self {
        case .accessToken, .proofNonce, .challenge, .auditLog, .witness: return hour
        case .refreshTag: return Timestamp.Span(milliseconds: sessions.lifetime.milliseconds + hour.milliseconds)
        }
    }
}
