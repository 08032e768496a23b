internal import AuthAPI
internal import SQLStore
internal import Secrets
internal import Tokens

/// Makes the keys that are missing, and the next ones in time. Any number of replicas may do it at once: one of them does.
struct KeyRotation {
    let database: any Database
    let sealer: ColumnSealer
    let sessions: ServerConfiguration.SessionSettings
    let random: any RandomSource

    /// A key that is to be made.
    private struct Need {
        let purpose: KeyPurpose
        let activates: Timestamp
        let number: UInt8
        /// The keys that it replaces, and when they retire.
        let replaced: [[UInt8]]
        let retires: Timestamp
    }

    /// Looks after all purposes, and returns the keys as they are then.
    ///
    /// - Throws: ``StoreError``: ``StoreError/unknownSealingKey(_:)`` and ``StoreError/sealIsBroken`` if the keys of the store
    ///   are sealed under another master key.
    func keys(at now: Timestamp) async throws -> KeyRing.Snapshot {
        while true {
            let rows = try await database.read { try Self.rows(in: $0) }
            let needs = try KeyPurpose.allCases.compactMap { try need(for: $0, among: rows, now: now) }
            if needs.isEmpty { return try KeyRing.Snapshot(rows, sealer: sealer, now: now) }
            // Whoever does not open the keys that there are must add none: those would open for nobody else.
            try await database.read { try ServerKeys.requireOpening(by: sealer, in: $0) }
            // Sealed before the transaction, which may run twice and cannot be handed a secret.
            let made = try needs.map { try make($0, now: now) }
            try await database.write { transaction in
                try ServerKeys.lock(in: transaction)
                // Another replica was faster: look again.
                guard try Self.rows(in: transaction) == rows else { return }
                for (key, need) in zip(made, needs) {
                    for id in need.replaced { _ = try ServerKeys.retire(id, at: need.retires, in: transaction) }
                    guard try ServerKeys.add(key, in: transaction) else { throw StoreError.conflict }
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

    /// Nil while the newest key has more than the lead left.
    private func need(for purpose: KeyPurpose, among rows: [ServerKeyRow], now: Timestamp) throws(StoreError) -> Need? {
        let rows = rows.filter { $0.purpose == purpose.rawValue }
        guard let newest = rows.max(by: { $0.activatesAt < $1.activatesAt }) else {
            return Need(purpose: purpose, activates: now, number: 1, replaced: [], retires: now)
        }
        let end = newest.activatesAt.adding(KeyPurpose.period)
        guard end.since(now) <= KeyPurpose.lead else { return nil }
        // Not at once, even if the server slept through the end: other replicas and verifiers do not have it yet.
        let activates = max(end, now.adding(KeyPurpose.lead))
        // Those in use are few: after 255 the first number is long free.
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
            case .refreshTag, .proofNonce, .challenge: SecretBytes(count: HMACKey.size, from: random)
            }
        return ServerKeyRow(
            id: id, purpose: need.purpose.rawValue, sealed: try ServerKeys.seal(secret, id: id, sealer: sealer),
            createdAt: now, activatesAt: need.activates)
    }
}
