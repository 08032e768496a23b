internal import AuditLog
internal import Bitcoin
internal import Ceremonies
public import Custody
internal import Ethereum
internal import Time
public import Wallet

extension WalletBook {
    /// Returns everything that the checks and the policy need to know about an intent.
    ///
    /// - Parameter digest: the digest of the `Intent`.
    /// - Throws: `CustodyError.badPolicy(_:)`, `CustodyError.wallet(_:)` for an account that the wallet does not have.
    public func policyContext(
        for payload: SigningPayload, digest: [UInt8], in context: SigningContext
    ) throws(CustodyError) -> PolicyContext {
        let conflictSet = try conflictSet(of: payload)
        return PolicyContext(
            now: context.now,
            history: Spending(entries: entries, now: context.now).effects(judging: conflictSet, digest), known: known,
            chosen: chosen, proposed: firstProposed(digest, at: context.now),
            approvers: try policy().approvers(of: digest, in: context.approvals), node: context.node)
    }

    /// Decides by the checks and the policy, and records that the intent may be signed: from then on it counts against
    /// limits.
    ///
    /// The same digest again counts once, because it is the same transaction, but is decided anew each time. If it is
    /// not yet known to be signed, it counts from the later time.
    ///
    /// - Parameter intent: the intent that the signer decoded from the payload.
    /// - Throws: `CustodyError.ceremony(_:)` with `CeremonyError.forbidden(_:)`; `CustodyError.book(_:)` with
    ///   `BookFault.attemptedMeanwhile(id:)` or `BookFault.otherOrder(key:)`; with `BookFault.full(_:)` if the
    ///   intent cannot be recorded, or its nonce could not be recorded after signing; the errors of
    ///   ``policyContext(for:digest:in:)``; `CustodyError.log(path:_:)` if the wallet's audit log cannot be
    ///   written. After an error nothing may be signed.
    public func admit(
        _ payload: SigningPayload, meaning intent: Intent, in context: SigningContext
    ) async throws(CustodyError) {
        try await admit(payload, meaning: intent, in: context, BookSession())
    }

    func admit(
        _ payload: SigningPayload, meaning intent: Intent, in context: SigningContext, _ session: BookSession
    ) async throws(CustodyError) {
        await lock.lock()
        defer { lock.unlock() }
        if let mark = context.mark {
            try checkNoAttempt(at: context.order, taking: conflictSet(of: payload), after: mark, in: session)
        }
        try await correctTimes(to: context.now)
        let policy = try policy()
        let judged = try policyContext(for: payload, digest: intent.digest, in: context)
        let decision = policy.decide(on: intent.checked(in: judged), in: judged)
        guard decision.verdict == .allowed else { throw .ceremony(.forbidden(decision)) }
        try requireNonceRoom(for: payload)
        let isLogged = try await logSigning(payload, intent.digest, in: session)
        do throws(CustodyError) {
            try await reserve(
                payload, meaning: intent, in: context, session, proposed: judged.proposed,
                keeping: max(policy.longestWindow, Limits.historySeconds))
        } catch {
            if isLogged { await logSigningEnd(of: intent.digest, .failed) }
            throw error
        }
    }

    /// Records that an admitted intent may be signed.
    ///
    /// - Parameters:
    ///   - proposed: when it was first proposed, if it had to wait.
    ///   - seconds: how long entries are kept at least.
    private func reserve(
        _ payload: SigningPayload, meaning intent: Intent, in context: SigningContext, _ session: BookSession,
        proposed: UInt64?, keeping seconds: UInt64
    ) async throws(CustodyError) {
        let (now, order) = (context.now, context.order)
        let known = entry(intent.digest)
        let isNew = known.map { $0.state == .failed } ?? true
        // Another session may have made a signature, so this session's failure does not prove that none exists.
        if !isNew, reservedBy[intent.digest] !== session { reservedBy[intent.digest] = nil }
        if var known, known.counts, known.isSigned || known.counts(at: now) >= now {
            guard known.order == nil, let order else { return }
            known.order = order
            return try await write(known)
        }
        let conflictSet = try conflictSet(of: payload)
        let entry = HistoryEntry(
            admitting: intent, number: lastNumber() + 1, now: now, proposed: proposed, taking: conflictSet,
            for: order ?? known?.order, isHeard: isHeard(order, taking: conflictSet))
        let size = entry.encoded.count
        guard size + payload.signedSize <= WalletLimits.historyEntrySize else { throw .book(.tooLarge(.history)) }
        try await makeRoom(for: size, now: now, keeping: seconds)
        try await write(entry)
        admittedBy[entry.digest] = session
        if isNew { reservedBy[entry.digest] = session }
    }

    /// Checks that nothing was admitted since a payment was planned that its plan would have to know: another attempt at its order, or
    /// another transaction that conflicts with it. What another participant of this session admitted does not count.
    private func checkNoAttempt(
        at order: OrderIdentity?, taking conflictSet: ConflictSet?, after mark: UInt64, in session: BookSession
    ) throws(CustodyError) {
        if let order { _ = try attempts(at: order) }
        let other = entries.last { entry in
            guard entry.number > mark, entry.counts, admittedBy[entry.digest] !== session else { return false }
            return order != nil && entry.order == order || entry.conflicts(with: conflictSet)
        }
        if let other { throw .book(.attemptedMeanwhile(id: other.id)) }
    }

    /// Returns the number of the newest entry; 0 without entries. A plan that is made after this call knows all entries
    /// up to it.
    public func lastNumber() -> UInt64 { entries.last?.number ?? 0 }

    /// Returns whether the intent replaces an attempt at the same order whose result was acknowledged.
    private func isHeard(_ order: OrderIdentity?, taking conflictSet: ConflictSet?) -> Bool {
        guard let order else { return false }
        return entries.contains { $0.order == order && $0.isHeard && $0.conflicts(with: conflictSet) }
    }

    /// Makes an authorizer that admits payloads for the participants of one session.
    ///
    /// - Parameter context: as of ``admit(_:meaning:in:)``.
    public nonisolated func authorizer(in context: SigningContext) -> BookAuthorizer {
        BookAuthorizer(book: self, context: context)
    }

    /// Returns the admitted intents with their states, the oldest first.
    public func history() -> [HistoryEntry] { entries }

    /// Records the outcome of an entry. A settled entry replaces every entry that conflicts with it; a mined one takes
    /// the place of a conflicting entry that was mined before.
    ///
    /// A failure releases the reservation of the last session. It does so only if no participant of that session
    /// reported that a partial signature leaves it, and no other session was admitted with the same digest, also before
    /// the book was opened. Otherwise a signature may exist, and recording a failure changes nothing.
    ///
    /// - Throws: `CustodyError.book(_:)`, with `BookFault.unknown` if it was never admitted.
    public func note(_ outcome: HistoryEntry.Outcome, of digest: [UInt8]) async throws(CustodyError) {
        try await note(outcome, of: digest, by: nil)
    }

    /// - Parameter session: the session that has this outcome; nil for any. Its failure does not release the reservation
    ///   of another session.
    func note(
        _ outcome: HistoryEntry.Outcome, of digest: [UInt8], by session: BookSession?
    ) async throws(CustodyError) {
        await lock.lock()
        defer { lock.unlock() }
        guard var entry = entry(digest) else { throw .book(.unknown) }
        // Also if recording this fails.
        if outcome != .failed { reservedBy[digest] = nil }
        switch outcome {
        case .failed:
            if let session, let holder = reservedBy[digest], holder !== session { return }
            guard entry.state == .reserved, reservedBy[digest] != nil else {
                return await logSigningEnd(of: digest, .unclear)
            }
            entry.state = .failed
        case .signed(let id, let bytes):
            if !entry.isSigned { entry.state = .signed }
            entry.id = id
            entry.transaction = bytes.isEmpty ? nil : bytes
            // A witness that another signer made may have any size. An entry above the limit could not be read again.
            if entry.encoded.count > WalletLimits.historyEntrySize { entry.transaction = nil }
        case .unanswered:
            guard entry.state == .signed else { return }
            entry.state = .unanswered
        case .sent: entry.state = .sent
        case .mined(let height):
            if case .settled = entry.state { return }
            entry.state = .mined(height: height)
        case .settled(let height): entry.state = .settled(height: height)
        case .replaced: entry.state = .replaced
        }
        try await writeAll([entry] + displaced(by: entry))
        switch outcome {
        case .failed: await logSigningEnd(of: digest, .failed)
        case .signed: await logSigningEnd(of: digest, .completed)
        default: break
        }
        if entry.isSigned { try await forgetProposal(digest) }
        if case .signed = outcome { try await forgetProposals(besides: entry) }
    }

    /// Returns the other entries whose state changes because this one is mined: of two that conflict, only one can be
    /// in the chain.
    private func displaced(by entry: HistoryEntry) -> [HistoryEntry] {
        guard entry.isMined, let conflictSet = entry.conflictSet else { return [] }
        return entries.compactMap { other in
            guard other.digest != entry.digest, other.counts, other.conflicts(with: conflictSet) else { return nil }
            var other = other
            switch (entry.state, other.state) {
            case (.settled, _): other.state = .replaced
            // A reorganisation removed the other one's block from the chain.
            case (_, .mined): other.state = .sent
            default: return nil
            }
            return other
        }
    }

    /// Records that a partial signature is about to leave a participant: from now on a signature may exist, and a failed session no
    /// longer withdraws the reservation.
    func signatureMayExist(of digest: [UInt8]) { reservedBy[digest] = nil }

    // MARK: - Entries

    /// Returns the payload's conflict set; nil if it conflicts with no other payload, as a message does.
    ///
    /// - Throws: `CustodyError.wallet(_:)` for an account that the wallet does not have.
    public nonisolated func conflictSet(of payload: SigningPayload) throws(CustodyError) -> ConflictSet? {
        do { return try ConflictSet(of: payload, for: accounts) } catch { throw .wallet(error) }
    }

    func entry(_ digest: [UInt8]) -> HistoryEntry? { entries.first { $0.digest == digest } }

    /// The contacts, and the payees of mined payments. Signing alone does not make a payee known: otherwise an attacker
    /// who gets one satoshi signed would make its payee known.
    var known: Set<Party> { parties { $0.isMined } }

    /// The contacts, and the payees of all payments that may have been signed.
    public var chosen: Set<Party> { parties { $0.counts } }

    private func parties(paidBy isPaid: (HistoryEntry) -> Bool) -> Set<Party> {
        var parties = Set(contactList.map(\.party))
        for entry in entries where isPaid(entry) {
            for case .payment(_, _, let party) in entry.effects {
                // A payment to the wallet's own address at a high index is judged as a payment each time.
                if case .own = party { continue }
                parties.insert(party)
            }
        }
        return parties
    }

    // MARK: - The clock

    /// Sets the book's time. Entries in the future, recorded while the clock was ahead, count from now on, until the
    /// clock reaches their time again.
    ///
    /// - Parameter now: in seconds since 1970.
    /// - Throws: `CustodyError.book(_:)`.
    public func notice(now: UInt64) async throws(CustodyError) {
        await lock.lock()
        defer { lock.unlock() }
        try await correctTimes(to: now)
    }

    /// Returns the time of a first proposal: now, and never before the time of an existing entry once the clock reaches
    /// that time.
    func times(of now: UInt64) -> ClockTimes {
        let latest = max(entries.map(\.time).max() ?? 0, stored.map(\.times.first).max() ?? 0)
        let corrections = entries.flatMap(\.corrections) + stored.flatMap(\.times.corrections)
        let readings = Set(corrections + [latest]).filter { $0 > now }.sorted(by: >) + [now]
        return ClockTimes(
            first: readings.first ?? now, Array(readings.dropFirst().prefix(WalletLimits.clockCorrections)))
    }

    /// Corrects all entries that need it in one write: a clock that was years ahead can affect thousands of entries,
    /// and each write replaces the whole file.
    func correctTimes(to now: UInt64) async throws(CustodyError) {
        var corrected: [HistoryEntry] = []
        for var entry in entries {
            guard entry.times.correct(to: now) else { continue }
            corrected.append(entry)
        }
        var proposals = stored
        let changed = proposals.indices.filter { proposals[$0].times.correct(to: now) }
        let proposalItems = changed.map {
            (name: Item.proposal(proposals[$0].digest).name, bytes: proposals[$0].encoded)
        }
        try await writeAll(corrected, and: proposalItems)
        stored = proposals
    }

    func write(_ entry: HistoryEntry) async throws(CustodyError) { try await writeAll([entry]) }

    /// Writes several entries in one change of the file: either all of them are stored or none.
    ///
    /// - Parameter others: items of the file that are written with them.
    func writeAll(
        _ changed: [HistoryEntry], and others: [(name: String, bytes: [UInt8])] = []
    ) async throws(CustodyError) {
        let items = changed.map { (name: Item.entry($0.digest).name, bytes: $0.encoded) }
        try await file.saveAll(items + others)
        for (entry, item) in zip(changed, items) { entrySizes[entry.digest] = item.bytes.count }
        let digests = Set(changed.map(\.digest))
        entries = (entries.filter { !digests.contains($0.digest) } + changed).sorted { $0.number < $1.number }
    }

    /// Removes the oldest entries that no longer matter, until there is room.
    ///
    /// - Throws: `CustodyError.book(_:)`, with `BookFault.full(_:)` if all entries still matter.
    private func makeRoom(for size: Int, now: UInt64, keeping seconds: UInt64) async throws(CustodyError) {
        while entries.count >= room.entries
            || entrySizes.values.reduce(size, +) > room.bytes
        {
            let horizon = now >= seconds ? now - seconds : 0
            let times = Spending(entries: entries, now: now).times
            // Entries that count against nothing go first, however young: messages must not prevent payments.
            let idle = entries.first { !$0.counts || ($0.conflictSet == nil && $0.given(at: 0).isEmpty) }
            let old = zip(entries, times).first { $0.isForgettable && $1 < horizon }?.0
            guard let entry = idle ?? old else { throw .book(.full(.history)) }
            try await file.delete(Item.entry(entry.digest).name)
            entries.removeAll { $0.digest == entry.digest }
            entrySizes[entry.digest] = nil
        }
    }
}

extension SigningPayload {
    /// The approximate size of the transaction once it is signed.
    var signedSize: Int {
        switch self {
        case .bitcoinTransaction(let psbt):
            // The witness of a key, and the transaction itself.
            psbt.unsignedTransaction.encoded.count + 112 * psbt.unsignedTransaction.inputs.count
        case .ethereumTransaction(let transaction, _): transaction.encoded.count + 128
        default: 0
        }
    }
}
