public import AuditLog
public import Custody
public import Secrets
internal import Time
internal import Wallet

extension WalletBook {
    /// The way in which a wallet came to this machine.
    public enum Arrival: Sendable {
        /// Its keys were generated.
        case creation
        /// Its keys were imported.
        case importing
        /// It was restored from its share files, or its description was updated from them.
        case restoration
    }

    /// Logs how the wallet came to this machine. It is the only act that is logged after it is done, because the log's
    /// keys are in the wallet's book.
    ///
    /// - Throws: `CustodyError.log(path:_:)`, `CustodyError.book(_:)`,
    ///   `ShareFault.unreadable(path:_:)` if the passphrase is not the wallet's.
    public func log(_ arrival: Arrival) async throws(CustodyError) {
        await lock.lock()
        defer { lock.unlock() }
        let act: WalletEvent.Act =
            switch arrival {
            case .creation: .creation
            case .importing: .importing
            case .restoration: .restoration
            }
        _ = try await logged(act, .completed, on: nil)
    }

    /// Returns the log with the keys to read and verify it; nil if nothing was logged yet.
    ///
    /// - Throws: `CustodyError.book(_:)`.
    public func walletLog() async throws(CustodyError) -> WalletLog? {
        guard let id = try await file.log(.id) else { return nil }
        return try await WalletLog(id: id.withUnsafeBytes { Array($0) }, of: wallet, in: home, file: file)
    }

    /// Signs a checkpoint of the log, and has it cosigned by a witness.
    ///
    /// - Throws: `CustodyError.log(path:_:)` with `AuditLogError.rolledBack(size:expected:)` or
    ///   `AuditLogError.forked(size:)` if the witness has seen another log; `CustodyError.book(_:)`.
    @discardableResult
    public func checkpointLog(witnessedBy witness: any WitnessLink) async throws(CustodyError) -> SignedNote {
        await lock.lock()
        defer { lock.unlock() }
        let log = try await openedLog()
        do throws(AuditLogError) { return try await log.checkpoint(witnessedBy: witness) } catch {
            throw await unlogged(error)
        }
    }

    /// Checks that the log can be written: an act would be logged now.
    ///
    /// - Throws: `CustodyError.log(path:_:)` if it cannot; `CustodyError.book(_:)`.
    public func requireLog() async throws(CustodyError) {
        await lock.lock()
        defer { lock.unlock() }
        _ = try await openedLog()
    }

    /// Begins a new log, because the present one is missing or damaged for good. Its first event names the last
    /// checkpoint of the old log, whose folder stays as it is.
    ///
    /// - Throws: `CustodyError.log(path:_:)`, `CustodyError.book(_:)`.
    public func beginNewLog() async throws(CustodyError) {
        await lock.lock()
        defer { lock.unlock() }
        await closeLog()
        let last = try await walletLog().flatMap { log in (try? log.known)?.max { $0.size < $1.size } }
        try await file.beginLog(
            id: file.random.publicBytes(count: WalletLog.idSize), after: last, random: file.random)
        _ = try await openedLog()
    }

    /// Runs a renewal of the wallet's shares, which is logged before it begins.
    ///
    /// - Parameters: as of `WalletRenewal.run(passphrase:random:now:progress:)`.
    /// - Throws: `CustodyError.log(path:_:)`: nothing was renewed; as `WalletRenewal.run(passphrase:random:now:progress:)`.
    public nonisolated func run(
        _ renewal: WalletRenewal, passphrase: borrowing SecretBytes, random: some RandomSource, now: Int64,
        progress: (WalletRenewal.Step) -> Void
    ) async throws(CustodyError) -> WalletRenewal.Outcome {
        let act: WalletEvent.Act = if case .repair = renewal.renewal { .repair } else { .renewal }
        let admission = try await admission(of: act)
        do throws(CustodyError) {
            let outcome = try await renewal.run(
                passphrase: passphrase, random: random, now: now, progress: progress)
            await end(of: act, .completed, admission, epoch: outcome.wallet.epoch)
            return outcome
        } catch {
            let isUnclear = if case .renewal(.unfinished) = error { true } else { false }
            await end(of: act, isUnclear ? .unclear : .failed, admission, epoch: nil)
            throw error
        }
    }

    // MARK: - Acts of this library

    /// Logs an act that another type does, before it is done, in a turn of its own.
    func admission(of act: WalletEvent.Act) async throws(CustodyError) -> UInt64 {
        await lock.lock()
        defer { lock.unlock() }
        return try await logAdmission(of: act, on: nil)
    }

    /// Logs the end of an act that another type has done.
    func end(of act: WalletEvent.Act, _ stage: WalletEvent.Stage, _ admission: UInt64, epoch: Int?) async {
        await lock.lock()
        defer { lock.unlock() }
        await logEnd(of: act, stage, on: nil, admission, epoch: epoch)
    }

    /// Logs an act before it is done. When it returns, the entry is durable.
    ///
    /// - Throws: `CustodyError.log(path:_:)`, `CustodyError.book(_:)`: the act must not be done.
    /// - Returns: the number of the entry.
    func logAdmission(of act: WalletEvent.Act, on subject: [UInt8]?) async throws(CustodyError) -> UInt64 {
        try await logged(act, .admitted, on: subject)
    }

    /// Logs the end of an act. If that fails, the act counts as interrupted, and the next admission reports the failure.
    func logEnd(
        of act: WalletEvent.Act, _ stage: WalletEvent.Stage, on subject: [UInt8]?, _ admission: UInt64?,
        epoch: Int? = nil
    ) async {
        _ = try? await logged(act, stage, on: subject, epoch: epoch, admission: admission)
    }

    /// Logs that an intent may be signed, once for each session of participants.
    ///
    /// - Returns: whether the entry is new.
    func logSigning(
        _ payload: SigningPayload, _ digest: [UInt8], in session: BookSession
    ) async throws(CustodyError) -> Bool {
        if let known = loggedSignings[digest], known.session === session { return false }
        let number = try await logAdmission(of: payload.act, on: digest)
        loggedSignings[digest] = (session, number, payload.act)
        return true
    }

    /// Logs the end of a signing.
    func logSigningEnd(of digest: [UInt8], _ stage: WalletEvent.Stage) async {
        guard let known = loggedSignings.removeValue(forKey: digest) else { return }
        await logEnd(of: known.act, stage, on: digest, known.number)
    }

    /// Closes the log, with a checkpoint. Without one that is open it does nothing.
    func closeLog() async {
        loggedSignings = [:]
        guard let log = openLog.take() else { return }
        // What could not be logged was refused; a missing checkpoint only means that the one before counts.
        _ = try? await log.close()
    }

    // MARK: - The open log

    private func openedLog() async throws(CustodyError) -> AuditLog {
        if let openLog { return openLog }
        if try await file.log(.id) == nil {
            try await file.beginLog(
                id: file.random.publicBytes(count: WalletLog.idSize), after: nil, random: file.random)
        }
        guard let walletLog = try await walletLog() else { throw damaged }
        let log = try await walletLog.open(random: file.random, now: times)
        logFolder = walletLog.folder
        if let last = try await file.logState(.follows), let root = try? AuditDigest(last.root.bytes) {
            do throws(AuditLogError) { try await log.append(.log(.follows(root: root, size: last.size))) } catch {
                throw .log(path: logFolder, error)
            }
            try await file.forgetFollows()
        }
        openLog = log
        return log
    }

    /// Writes an entry, durably.
    ///
    /// The next write of the book, which an act needs before it is done, stores the state of the log: entries that the
    /// book knows cannot be cut off unnoticed.
    /// - Returns: the number of the entry.
    private func logged(
        _ act: WalletEvent.Act, _ stage: WalletEvent.Stage, on subject: [UInt8]?, epoch: Int? = nil,
        admission: UInt64? = nil
    ) async throws(CustodyError) -> UInt64 {
        let log = try await openedLog()
        let number: UInt64
        do throws(AuditLogError) {
            let event = AuditEvent.wallet(
                WalletEvent(
                    act, stage, wallet: try AuditIdentifier(wallet.walletID),
                    subject: try subject.map { bytes throws(AuditLogError) in try AuditDigest(bytes) },
                    epoch: UInt32(clamping: epoch ?? wallet.epoch), admission: admission))
            number = stage == .admitted ? try await log.admit(event).sequence : try await log.append(event)
        } catch { throw await unlogged(error) }
        if let state = try? await log.state { await file.noteLogState(state) }
        return number
    }

    /// Returns the error for what could not be logged. A log that is broken is opened again next time.
    private func unlogged(_ error: AuditLogError) async -> CustodyError {
        switch error {
        case .broken, .writeFailed: await closeLog()
        default: break
        }
        return .log(path: logFolder, error)
    }
}

extension SigningPayload {
    /// The act that signing the payload is.
    fileprivate var act: WalletEvent.Act {
        switch self {
        case .bitcoinTransaction, .ethereumTransaction: .signing
        case .personalMessage, .typedData, .bitcoinMessage, .file: .messageSigning
        }
    }
}
