internal import Crypto
internal import Encoding
internal import Secrets

/// One item as it is in the file. It has a key of its own, made of the master key and a salt that was drawn for this
/// write.
struct SealedItem: Equatable, Sendable {
    let name: ItemName
    let attributes: ItemAttributes
    /// The generation of the vault at which the item was written.
    let generation: UInt64
    let salt: [UInt8]
    /// The ciphertext and its tag.
    let sealed: [UInt8]

    init(name: ItemName, attributes: ItemAttributes, generation: UInt64, salt: [UInt8], sealed: [UInt8]) {
        self.name = name
        self.attributes = attributes
        self.generation = generation
        self.salt = salt
        self.sealed = sealed
    }

    init(
        sealing secret: borrowing SecretBytes, as name: ItemName, attributes: ItemAttributes, generation: UInt64,
        under masterKey: borrowing SecretBytes, of vault: VaultID, random: some RandomSource
    ) throws(SecureStorageError) {
        guard (1...Limits.itemSize).contains(secret.count) else { throw .outsideLimits(.itemSize) }
        let salt = random.publicBytes(count: Sealing.saltSize)
        let key = Sealing.key(from: masterKey, salt: salt, purpose: Purpose.item)
        let context = Self.context(vault: vault, name: name, attributes: attributes, generation: generation)
        let sealed = secret.withUnsafeBytes { Sealing.seal($0, key: key, bindingTo: context) }
        self.init(name: name, attributes: attributes, generation: generation, salt: salt, sealed: sealed)
    }

    /// Opens the item.
    ///
    /// - Throws: ``SecureStorageError/tampered(_:)`` if the bytes are not this item of this vault.
    func open(under masterKey: borrowing SecretBytes, of vault: VaultID) throws(SecureStorageError) -> SecretBytes {
        let key = Sealing.key(from: masterKey, salt: salt, purpose: Purpose.item)
        let context = Self.context(vault: vault, name: name, attributes: attributes, generation: generation)
        guard let secret = Sealing.open(sealed, key: key, bindingTo: context) else { throw .tampered(.item) }
        return secret
    }

    /// Returns the context to which an item is bound: its vault, its full name, its attributes, and its generation. An
    /// item that is copied to another vault, renamed, relabelled, or replaced by an earlier version of itself does not
    /// open.
    private static func context(
        vault: VaultID, name: ItemName, attributes: ItemAttributes, generation: UInt64
    ) -> [UInt8] {
        vault.bytes + name.encoded + attributes.encoded + generation.bigEndianBytes
    }
}
