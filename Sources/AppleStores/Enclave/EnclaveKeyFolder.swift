internal import Files
internal import SecureStorage

/// The files of the Enclave's signing keys: `NAME.enclave-key` in one folder, for the owner only.
struct EnclaveKeyFolder {
    private let path: String

    init(at path: String) { self.path = path }

    /// Stores a new key, durably.
    ///
    /// - Throws: `SecureStorageError.alreadyExists` if the name is taken, and the errors of writing.
    func add(_ file: EnclaveKeyFile, as name: KeyName) throws(SecureStorageError) {
        try onDisk(FolderCreation.make(path))
        try onDisk(AtomicFile.write(file.encoded, to: self.file(of: name), replacing: .refused))
    }

    /// Returns the key; nil if the name is free.
    func key(_ name: KeyName) throws(SecureStorageError) -> EnclaveKeyFile? {
        let bytes: [UInt8]
        do {
            bytes = try onDisk(AtomicFile.read(file(of: name), limit: EnclaveKeyFile.largest, access: .ownerOnly))
        } catch .notFound { return nil }
        return try EnclaveKeyFile(decoding: bytes)
    }

    /// Returns whether the name is taken, also by a file that cannot be read.
    func contains(_ name: KeyName) -> Bool { FolderCreation.isOccupied(file(of: name)) }

    /// Removes a key, durably. The Enclave keeps nothing of it: without the file the key is gone.
    func remove(_ name: KeyName) throws(SecureStorageError) -> Bool {
        guard contains(name) else { return false }
        try onDisk(FolderCreation.removeForGood(file(of: name)))
        return true
    }

    private func file(of name: KeyName) -> String { "\(path)/\(name).enclave-key" }
}
