internal import AuditLog
internal import Custody
internal import Secrets
internal import SecureStorage

extension BookFile {
    /// The items of the wallet's log. ``contents()`` leaves them out, because some are keys.
    enum LogItem: String {
        /// The random bytes that name the log.
        case id = "log.id"
        /// The seed of the key that signs checkpoints (RFC 8032).
        case signingKey = "log.signing-key"
        /// The private key that opens entries (X25519).
        case readerKey = "log.reader-key"
        /// The secret of the present epoch.
        case epochSecret = "log.epoch"
        /// The last signed checkpoint.
        case checkpoint = "log.checkpoint"
        /// The state of the log when the book was written last: the text of a checkpoint without a signature.
        case state = "log.state"
        /// The last known state of the log before, which the new one does not have as an event yet.
        case follows = "log.follows"
    }

    /// Returns an item of the log; nil if the book does not have it.
    ///
    /// - Throws: `CustodyError.book(_:)`.
    func log(_ item: LogItem) async throws(CustodyError) -> SecretBytes? {
        guard let vault = opened else { return nil }
        do throws(SecureStorageError) { return try await vault.load(try itemName(item.rawValue)) } catch .closed {
            throw .book(.notWritable(path: path, .closed))
        } catch { throw .book(.unreadable(path: path, error)) }
    }

    /// Returns a state of the log, by the item that has it.
    ///
    /// - Throws: `CustodyError.book(_:)`, with `BookFault.damaged(path:)` if the item is not a state.
    func logState(_ item: LogItem) async throws(CustodyError) -> Checkpoint? {
        guard let bytes = try await log(item) else { return nil }
        let text = String(decoding: bytes.withUnsafeBytes { Array($0) }, as: UTF8.self)
        guard let state = try? Checkpoint(parsing: text) else { throw .book(.damaged(path: path)) }
        return state
    }

    /// Stores an item of the log durably.
    ///
    /// - Throws: as ``save(_:as:)``.
    func saveLog(_ item: LogItem, _ secret: borrowing SecretBytes) async throws(CustodyError) {
        let name = item.rawValue
        let unsaved: UnsavedItem
        do throws(SecureStorageError) { unsaved = try self.unsaved(secret.clone(), as: name) } catch {
            throw .book(.notWritable(path: path, error))
        }
        try await write { [unsaved] }
    }

    /// Removes the note that a new log has to name the one before.
    ///
    /// - Throws: as ``save(_:as:)``.
    func forgetFollows() async throws(CustodyError) { try await delete(LogItem.follows.rawValue) }

    /// Keeps the state of the log: the next write of the book stores it, in the same step.
    func noteLogState(_ state: Checkpoint) { logState = state }

    /// Begins another log in one write. Its keys are those of the log before; without one they are made.
    ///
    /// - Parameter last: the last known state of the log before; nil for the first log.
    /// - Throws: as ``save(_:as:)``.
    func beginLog(id: [UInt8], after last: Checkpoint?, random: any RandomSource) async throws(CustodyError) {
        logState = nil
        var missing: [LogItem] = []
        for key in [LogItem.signingKey, .readerKey] where try await log(key) == nil { missing.append(key) }
        let keys = missing
        try await write(
            deleting: [LogItem.epochSecret, .checkpoint, .state].map(\.rawValue)
        ) { () throws(SecureStorageError) in
            var items = [try unsaved(id, as: LogItem.id.rawValue)]
            for key in keys { items.append(try unsaved(SecretBytes(count: 32, from: random), as: key.rawValue)) }
            if let last { items.append(try unsaved(Array(last.text.utf8), as: LogItem.follows.rawValue)) }
            return items
        }
    }
}
