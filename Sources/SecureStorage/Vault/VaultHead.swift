internal import Files

/// The public part of a vault file, read without a passphrase. Only a passphrase shows that the file is what it claims.
package struct VaultHead: Equatable, Sendable {
    /// The identity of the vault.
    package let id: VaultID
    /// The number of times that the vault was written.
    package let generation: UInt64
    /// The number of passphrases that open the vault.
    package let slotCount: Int
    /// The device that one of the passphrases needs; nil for none.
    package let device: StoreBackend?
}

extension VaultFile {
    /// Reads the public part of a vault file. It takes no lock, and the file may have any owner and mode.
    ///
    /// - Throws: ``SecureStorageError/notFound``, and whatever is wrong with the file.
    package static func head(ofFileAt path: String) throws(SecureStorageError) -> VaultHead {
        let image = try VaultImage(decoding: onDisk(AtomicFile.read(path, limit: Limits.fileSize, access: .anyone)))
        return VaultHead(
            id: image.id, generation: image.generation, slotCount: image.slots.count,
            device: image.slots.lazy.compactMap(\.binding?.backend).first)
    }
}
