internal import SecureStorage
internal import Secrets

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
    }

    /// Returns an item of the log; nil if the book does not have it.
    ///
    /// - Throws: ``CustodyError/book(_:)``.
    func log(_ item: LogItem) async throws(CustodyError) -> SecretBytes? {
        guard let vault = opened else { return nil }
        do throws(SecureStorageError) { return try await vault.load(try itemName(item.rawValue)) } catch .closed {
            throw .book(.notWritable(path: path, .closed))
        } catch { throw .book(.unreadable(path: path, error)) }
    }

    /// Stores an item of the log durably.
    ///
    /// - Throws: as ``save(_:as:)``.
    func saveLog(_ item: LogItem, _ secret: borrowing SecretBytes) async throws(CustodyError) {
        let vault = try writable()
        do throws(SecureStorageError) {
            try await vault.save(secret, as: try itemName(item.rawValue), attributes: .sensitive(.other))
        } catch { throw .book(.notWritable(path: path, error)) }
    }

    /// Begins another log in one write. Its keys are those of the log before; without one they are made.
    ///
    /// - Throws: as ``save(_:as:)``.
    func beginLog(id: [UInt8], random: any RandomSource) async throws(CustodyError) {
        let vault = try writable()
        do throws(SecureStorageError) {
            var id = id
            var items = [
                UnsavedItem(
                    SecretBytes(moving: &id), as: try itemName(LogItem.id.rawValue), attributes: .sensitive(.other))
            ]
            for key in [LogItem.signingKey, .readerKey] {
                let name = try itemName(key.rawValue)
                guard try await vault.load(name) == nil else { continue }
                items.append(
                    UnsavedItem(SecretBytes(count: 32, from: random), as: name, attributes: .sensitive(.other)))
            }
            try await vault.saveAll(
                items,
                deleting: [try itemName(LogItem.epochSecret.rawValue), try itemName(LogItem.checkpoint.rawValue)])
        } catch { throw .book(.notWritable(path: path, error)) }
    }
}
