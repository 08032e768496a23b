internal import Ceremonies
internal import Secrets
internal import SecureStorage
internal import Threshold

extension SealedShare {
    /// Opens a share file without knowing its wallet, and checks that its parts belong together.
    ///
    /// - Throws: ``ShareFileFault/unreadable(_:)`` or ``ShareFileFault/notAShare``.
    static func open(
        fileAt path: String, passphrase: borrowing SecretBytes, device: (any DeviceSealer)? = nil
    ) async throws(CustodyError) -> SealedShare {
        let encoded: SecretBytes?
        let item: ItemName?
        do {
            let vault = try VaultFile.openReadOnly(
                at: path, passphrase: passphrase, device: device, freshness: .unchecked)
            let names = try await vault.names(in: service)
            item = names.count == 1 ? names.first : nil
            if let item { encoded = try await vault.load(item) } else { encoded = nil }
            await vault.close()
        } catch {
            throw .shareFile(path: path, .unreadable(error))
        }
        guard let encoded, let sealed = try? SealedShare(decoding: encoded, name: nil) else {
            throw .shareFile(path: path, .notAShare)
        }
        let place = try sealed.record.share(at: ShareLocation(index: sealed.keys.index.value))
        guard sealed.keys.groups == sealed.record.keys, item?.account == place.id else {
            throw .shareFile(path: path, .notAShare)
        }
        return sealed
    }
}
