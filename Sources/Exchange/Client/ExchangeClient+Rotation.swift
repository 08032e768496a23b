public import ExchangeCredentials

/// The result of a rotation.
public enum Rotation: Equatable, Sendable {
    /// The new key is in use. Delete the old one at the exchange.
    case done(PermissionReport)
    /// The new key was tried and declined. The old one is still in use.
    case declined(RotationReview)
    /// The new key is of another account: the journal of the old one would not belong to it. The old one is still in use.
    case otherAccount
}

/// The facts about a new key on which a rotation is decided.
public struct RotationReview: Equatable, Sendable {
    /// The rights of the new key.
    public let report: PermissionReport
    /// Whether the exchange names one account for both keys. If it is false, one of the answers does not name the
    /// account, or the exchange no longer accepts the old key: only its page tells whether both are of one account.
    public let isProvenSameAccount: Bool
}

// MARK: Rotation

extension ExchangeClient {
    /// Replaces the key of this client's label by another key of the same account.
    ///
    /// The new key is made before the old one is broken: it is stored under a label of its own, asked for its rights and
    /// its account, and takes the old one's place if they are accepted. The journals go with it, also those of other
    /// servers, so that open orders can still be found. After a crash, the rotation is repeated with the same key.
    ///
    /// - Parameters:
    ///   - credential: the new credential.
    ///   - acceptsOlderJournals: whether ``acceptOlderJournal()`` comes before the old key is replaced.
    ///   - accept: decides about the rights of the new key, and about an account that is not proven.
    /// - Throws: ``ExchangeError``: the old key is still in use. `InputFault.sameKey` if it is this key already.
    public func rotate(
        to credential: borrowing ExchangeCredential, acceptsOlderJournals: Bool = false,
        accepting accept: (RotationReview) async -> Bool
    ) async throws(ExchangeError) -> Rotation {
        guard credential.key.venue == venue else { throw .invalid(.key, .otherVenue(credential.key.venue)) }
        let old = try await self.credential().key
        // A journal that cannot be taken over is reported before the new key is stored and tried.
        if old != credential.key { try state.checkJournals(of: old, acceptsOlder: acceptsOlderJournals) }
        let temporary = KeyLabel(ofNext: credential.key)
        let isRepeated = try await remove(temporary)
        guard old != credential.key else {
            // An interrupted rotation had replaced the key already.
            guard isRepeated else { throw .invalid(.key, .sameKey) }
            return .done(try await probePermissions())
        }
        do throws(CredentialError) { try await keyring.add(credential, as: temporary) } catch {
            throw .credential(error)
        }
        let review: RotationReview?
        do throws(ExchangeError) {
            let client = try ExchangeClient(
                of: venue, key: temporary, in: keyring, state: state, transport: transport, origin: origin,
                clock: clock,
                random: random, window: window)
            review = try await self.review(client)
        } catch {
            _ = try? await remove(temporary)
            throw error
        }
        guard let review else {
            try await remove(temporary)
            return .otherAccount
        }
        guard await accept(review) else {
            try await remove(temporary)
            return .declined(review)
        }
        if acceptsOlderJournals { try await acceptOlderJournal() }
        // The journal first: a new key without it would not recognise an order that was sent.
        try await state.adoptJournals(of: old.fingerprint, for: credential.key, clock: clock)
        do throws(CredentialError) { try await keyring.replace(with: credential, as: label) } catch {
            throw .credential(error)
        }
        // Again, with the orders of this moment. One that is written later with the old key is not sent.
        try await state.adoptJournals(of: old.fingerprint, for: credential.key, clock: clock)
        try await remove(temporary)
        if notesUse { try? await keyring.noteRights(review.report.rights, of: label, credential.key, now: clock.now()) }
        return .done(review.report)
    }

    @discardableResult
    private func remove(_ temporary: KeyLabel) async throws(ExchangeError) -> Bool {
        do throws(CredentialError) { return try await keyring.remove(temporary, at: venue) } catch {
            throw .credential(error)
        }
    }

    /// Asks for the rights of a new key, and compares its account with the one of this client's key.
    ///
    /// - Returns: nil if they are of different accounts.
    private func review(_ new: ExchangeClient) async throws(ExchangeError) -> RotationReview? {
        let report = try await new.probePermissions()
        // The new key first: the old one may be dead, and asking with it counts as an invalid attempt.
        guard let account = try await Self.knownAccount(of: new), let own = try await Self.knownAccount(of: self) else {
            return RotationReview(report: report, isProvenSameAccount: false)
        }
        return account == own ? RotationReview(report: report, isProvenSameAccount: true) : nil
    }

    /// Returns the name of a key's account; nil if the exchange does not tell it, or refuses the key.
    private static func knownAccount(of client: ExchangeClient) async throws(ExchangeError) -> String? {
        do throws(ExchangeError) { return try await client.accountName() } catch {
            switch error {
            case .refused, .unclear: return nil
            default: throw error
            }
        }
    }

    /// Takes over the orders of a key that was revoked or removed, if both keys are of one account: then the orders of
    /// the old key, whose outcome is unknown, can be reconciled with this one.
    ///
    /// - Warning: With a key of another account, such orders would be taken for absent.
    public func adoptOrders(ofKey tombstone: Tombstone) async throws(ExchangeError) {
        guard tombstone.venue == venue else { throw .invalid(.key, .otherVenue(tombstone.venue)) }
        let key = try await credential().key
        try await state.adoptJournals(of: tombstone.fingerprint, for: key, clock: clock)
    }
}
