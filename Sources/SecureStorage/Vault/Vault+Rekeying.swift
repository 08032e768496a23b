internal import Secrets

extension Vault {
    /// Returns this vault, of the same id and at the next generation, under a new master key that one passphrase opens.
    /// Every item is opened and sealed again.
    ///
    /// With an added or changed passphrase the master key stays, and a copy of the file from before gives it to everyone
    /// who knows the old passphrase. After this, the old master key opens no later version.
    ///
    /// - Parameter device: the device that the passphrase is to need; nil for none.
    /// - Throws: ``SecureStorageError/slotNotRemovable`` for a vault that has a slot with a device and one without: the
    ///   one slot of the result could not take the place of both.
    borrowing func rekeyed(
        to passphrase: borrowing SecretBytes, device: (any DeviceSealer)?, stretching: Stretching = .standard,
        by stretcher: Stretcher, random: some RandomSource
    ) throws(SecureStorageError) -> Vault {
        guard Set(state.slots.map { $0.binding?.backend }) == [device?.backend] else { throw .slotNotRemovable }
        var next = try Vault(
            id, passphrase: passphrase, form: .normalised, device: device, anchor: anchor, stretching: stretching,
            by: stretcher, random: random)
        next.state.generation = state.next.generation
        for item in state.items.values {
            next.state.items[item.name] = try SealedItem(
                sealing: item.open(under: masterKey, of: id), as: item.name, attributes: item.attributes,
                generation: next.state.generation, under: next.masterKey, of: id, random: random)
        }
        return next
    }
}
