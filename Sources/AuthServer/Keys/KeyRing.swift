internal import AuthStore
internal import SQLStore
internal import Secrets
internal import Synchronization
internal import Time
internal import Tokens

/// The server's own keys, as last read from the store. All replicas have the same.
final class KeyRing: Sendable {
    /// The keys at one moment.
    struct Snapshot: Sendable {
        let signing: SigningKey
        let verification: VerificationKeys
        let tags: RefreshTagKeys
        let nonces: ProofNonces
        /// The key that makes challenges.
        let challenge: HMACKey
        /// The keys that verify returned challenges.
        let challenges: [HMACKey]
        /// The key from which the keys of audit logs are derived.
        let auditLog: HMACKey
        /// The key from which the key of the witness is derived.
        let witness: HMACKey
        /// The time at which the next key of each purpose replaces the newest one.
        let rotations: [KeyPurpose: Timestamp]
    }

    private let snapshot: Mutex<Snapshot>

    init(_ snapshot: Snapshot) { self.snapshot = Mutex(snapshot) }

    var current: Snapshot { snapshot.withLock { $0 } }

    func replace(with next: Snapshot) { snapshot.withLock { $0 = next } }

    /// Returns a verifier of this server's access tokens with the present keys.
    ///
    /// - Parameter issuer: the server's URL. It is also the audience: the tokens are for this server, and for the
    ///   services that get its public keys.
    func verifier(issuer: String) -> AccessToken.Verifier {
        AccessToken.Verifier(issuer: issuer, audience: issuer, keys: current.verification)
    }
}

extension KeyRing.Snapshot {
    /// Half the longest time for which a nonce is accepted.
    static let nonceLifetime = Timestamp.Span.minutes(2)

    /// Opens the keys in use.
    ///
    /// - Throws: ``StoreError``; ``TokensError`` if a key is invalid. Every purpose needs an active key.
    init(_ rows: [ServerKeyRow], sealer: ColumnSealer, now: Timestamp) throws {
        func keys(_ purpose: KeyPurpose) throws -> (current: ServerKeyRow, others: [ServerKeyRow]) {
            let usable = rows.filter { row in
                row.purpose == purpose.rawValue && row.retiresAt.map { now < $0 } ?? true
            }.sorted { $0.activatesAt < $1.activatesAt }
            // If no key is active yet, the first one is used: the clock of the replica that has just made it may be
            // ahead of this one's.
            guard let current = usable.last(where: { $0.activatesAt <= now }) ?? usable.first else {
                throw StoreError.notFound
            }
            return (current, usable.filter { $0.id != current.id })
        }
        func open(_ row: ServerKeyRow) throws -> SecretBytes {
            try ServerKeys.open(row.sealed, id: row.id, sealer: sealer)
        }

        rotations = Dictionary(
            rows.compactMap { row in
                KeyPurpose(rawValue: row.purpose).flatMap { purpose in
                    purpose.isPermanent ? nil : (purpose, row.activatesAt.adding(KeyPurpose.period))
                }
            }, uniquingKeysWith: { max($0, $1) })

        let tokens = try keys(.accessToken)
        signing = try SigningKey(importing: try open(tokens.current))
        verification = try VerificationKeys(
            current: signing.publicKey,
            next: try tokens.others.filter { now < $0.activatesAt }.map {
                try SigningKey(importing: open($0)).publicKey
            },
            retired: try tokens.others.filter { $0.activatesAt <= now }.map {
                try SigningKey(importing: open($0)).publicKey
            })

        let tagRows = try keys(.refreshTag)
        var tags = RefreshTagKeys(current: try tagRows.current.number, secret: try open(tagRows.current))
        for row in tagRows.others { try tags.add(row.number, secret: try open(row)) }
        self.tags = tags

        // All nonce keys are used, as for the other purposes: replicas do not change keys in the same moment.
        let nonceRows = try keys(.proofNonce)
        var nonces = ProofNonces(secret: try open(nonceRows.current), lifetime: Self.nonceLifetime)
        for row in nonceRows.others { nonces.accept(try open(row)) }
        self.nonces = nonces

        let challengeRows = try keys(.challenge)
        challenge = HMACKey(try open(challengeRows.current))
        challenges = [challenge] + (try challengeRows.others.map { HMACKey(try open($0)) })

        auditLog = HMACKey(try open(try keys(.auditLog).current))
        witness = HMACKey(try open(try keys(.witness).current))
    }
}

extension ServerKeyRow {
    /// The last byte of the id, by which a refresh token names its key.
    var number: UInt8 {
        get throws(StoreError) {
            guard let number = id.last else { throw .unexpectedColumn(0) }
            return number
        }
    }
}
