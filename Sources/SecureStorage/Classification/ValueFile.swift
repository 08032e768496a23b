internal import Files

/// The two kinds of files of values have these steps in common: read, change and replace under the file's lock.
struct ValueFile: Sendable {
    let path: String
    /// Returns the file's bytes for a table.
    let encode: @Sendable (ValueTable) -> [UInt8]
    /// Reads the file's bytes.
    let decode: @Sendable ([UInt8]) throws(SecureStorageError) -> ValueTable

    /// Returns the value of a key; nil if the file does not have it.
    func value<Class>(_ key: DataKey<Class>) throws(SecureStorageError) -> [UInt8]? {
        guard let value = try read().values[key.name] else { return nil }
        guard value.count <= key.limit else { throw .wrongKind }
        return value
    }

    /// Sets the value of a key, or removes it with nil.
    func set<Class>(_ value: [UInt8]?, for key: DataKey<Class>) throws(SecureStorageError) {
        guard (value?.count ?? 0) <= key.limit else { throw .outsideLimits(.itemSize) }
        try change { (table) throws(SecureStorageError) in try table.set(value, for: key.name) }
    }

    /// Returns the values; an empty table if the file does not exist.
    ///
    /// - Throws: ``SecureStorageError/notFound`` if the folder does not exist, and the errors of the bytes.
    func read() throws(SecureStorageError) -> ValueTable {
        let location = try onDisk(FileLocation(path))
        return try read(location, in: onDisk(Folder(at: location.folder)))
    }

    /// Changes the values, holding the file's lock from reading to replacing.
    ///
    /// - Throws: ``SecureStorageError/lockedByAnother(processID:)`` if another process changes the file at this moment.
    private func change(
        _ change: (inout ValueTable) throws(SecureStorageError) -> Void
    ) throws(SecureStorageError) {
        let location = try onDisk(FileLocation(path))
        let folder = try onDisk(Folder(at: location.folder))
        let lock = try onDisk(FileLock(on: path))
        try onDisk(folder.remove(AtomicFile.temporaryName(of: location.name)))
        let before = try read(location, in: folder)
        var after = before
        try change(&after)
        guard after != before else { return }
        try onDisk(AtomicFile.write(encode(after), to: location.name, in: folder, holding: lock))
    }

    private func read(
        _ location: FileLocation, in folder: borrowing Folder
    ) throws(SecureStorageError) -> ValueTable {
        guard folder.contains(location.name) else { return ValueTable() }
        // The header and the tag are shorter than 100 bytes.
        return try decode(
            onDisk(AtomicFile.read(location.name, in: folder, limit: Limits.valuesSize + 100, access: .ownerOnly)))
    }
}
