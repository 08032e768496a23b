/// The result of a rotation.
public enum Rotation: Equatable, Sendable {
    /// The new key is in use. Delete the old one at the exchange.
    case done(PermissionReport)
    /// The new key was tried and declined because of its rights. The old one is still in use.
    case declined(PermissionReport)
}

// MARK: Rotation

extension ExchangeClient {
    /// Replaces the key of this client's label by another key of the same account.
    ///
    /// The new key is made before the old one is broken: it is stored under a label of its own, asked for its rights,
    /// and takes the old one's place if they are accepted. The journal goes with it, so that open orders can still be
    /// found. After a crash, the rotation is repeated with the same key.
    ///
    /// - Parameters:
    ///   - credential: the new credential.
    ///   - accept: decides about the rights of the new key.
    /// - Throws: ``ExchangeError``: the old key is still in use.
    public func rotate(
        to credential: borrowing ExchangeCredential, accepting accept: (PermissionReport) async -> Bool
    ) async throws(ExchangeError) -> Rotation {
        guard credential.key.venue == venue else { throw .invalid(.key, .otherVenue(credential.key.venue)) }
        let old = try await keyring.credential(label, at: venue).key
        let temporary = try KeyLabel("next.\(credential.key.fingerprint)")
        let isRepeated = try await keyring.remove(temporary, at: venue)
        guard old != credential.key else {
            // An interrupted rotation had replaced the key already.
            guard isRepeated else { throw .labelTaken }
            return .done(try await probePermissions())
        }
        try await keyring.add(credential, as: temporary)
        let report: PermissionReport
        do throws(ExchangeError) {
            let client = try ExchangeClient(
                of: venue, key: temporary, in: keyring, state: state, transport: transport, origin: origin,
                clock: clock,
                random: random, window: window)
            report = try await client.probePermissions()
        } catch {
            _ = try? await keyring.remove(temporary, at: venue)
            throw error
        }
        guard await accept(report) else {
            try await keyring.remove(temporary, at: venue)
            return .declined(report)
        }
        // The journal first: a new key without it would not recognise an order that was sent.
        try await state.adoptJournal(of: old.fingerprint, for: credential.key, clock: clock)
        try await keyring.replace(with: credential, as: label)
        // Again, with the orders of this moment. One that is written later with the old key is not sent.
        try await state.adoptJournal(of: old.fingerprint, for: credential.key, clock: clock)
        try await keyring.remove(temporary, at: venue)
        try? await keyring.noteRights(report.rights, of: label, credential.key, now: clock.now())
        return .done(report)
    }

    /// Takes over the orders of a key that was revoked or removed, if both keys are of one account: then the orders of
    /// the old key, whose outcome is unknown, can be reconciled with this one.
    ///
    /// - Warning: With a key of another account, such orders would be taken for absent.
    public func adoptOrders(ofKey tombstone: Tombstone) async throws(ExchangeError) {
        guard tombstone.venue == venue else { throw .invalid(.key, .otherVenue(tombstone.venue)) }
        let key = try await keyring.credential(label, at: venue).key
        try await state.adoptJournal(of: tombstone.fingerprint, for: key, clock: clock)
    }
}
