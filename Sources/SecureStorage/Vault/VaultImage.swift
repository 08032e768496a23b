internal import Encoding

/// The parsed bytes of a vault file, not yet checked against a key.
///
/// `docs/formats/vault.md` describes every field. Encode and decode are inverse to each other, byte for byte.
struct VaultImage: Equatable, Sendable {
    static let magic = [UInt8]("FuekiVlt".utf8)
    /// The version of a file in which a passphrase alone opens every slot, and no device counts generations.
    static let version: UInt16 = 1
    /// The version of a file with a device, in which every slot takes its passphrase as it was given.
    static let deviceVersion: UInt16 = 2
    /// The version of every other file: a slot takes its passphrase in the normal form.
    static let normalisedVersion: UInt16 = 3
    static let checksumSize = 32
    static let macSize = 32
    /// The size of magic, version and total size, which must be there before anything else is read.
    private static let prefixSize = 8 + 2 + 4

    var id: VaultID
    var generation: UInt64
    /// The device that counts the generations; nil for none.
    var anchor: StoreBackend?
    var slots: [Slot]
    var indexSalt: [UInt8]
    var sealedIndex: [UInt8]
    var mac: [UInt8]
    /// The sealed items one after the other, in the order of the index.
    var items: [UInt8]

    /// The header, which the MAC authenticates: everything before the MAC.
    var header: [UInt8] {
        var writer = ByteWriter(reserving: 256 + sealedIndex.count)
        writer.append(Self.magic)
        writer.bigEndian(version)
        writer.bigEndian(UInt32(size))
        writer.append(id.bytes)
        writer.bigEndian(generation)
        if version > Self.version { writer.append(anchor.map { Self.anchors[$0] ?? 0 } ?? 0) }
        writer.append(UInt8(slots.count))
        for slot in slots { writer.append(slot.encoded) }
        writer.append(indexSalt)
        writer.bigEndian(UInt32(sealedIndex.count))
        writer.append(sealedIndex)
        return writer.bytes
    }

    private static let anchors: [StoreBackend: UInt8] = [.tpm: 1]

    /// The version of the file, which its contents determine. From version 2 on it names the device that counts.
    private var version: UInt16 { Self.version(of: anchor, slots) }

    private static func version(of anchor: StoreBackend?, _ slots: [Slot]) -> UInt16 {
        if slots.contains(where: { $0.form == .normalised }) { return normalisedVersion }
        return anchor != nil || slots.contains { $0.binding != nil } ? deviceVersion : version
    }

    /// The size of the whole file in bytes.
    var size: Int {
        let slotBytes = slots.reduce(0) { $0 + $1.encoded.count }
        return Self.prefixSize + VaultID.size + 8 + (version > Self.version ? 1 : 0) + 1 + slotBytes + Sealing.saltSize
            + 4
            + sealedIndex.count
            + Self.macSize + items.count + Self.checksumSize
    }

    var encoded: [UInt8] {
        let body = header + mac + items
        return body + Sealing.digest(of: body)
    }

    /// Parses a file. The checksum distinguishes a damaged file from a wrong passphrase, before the cost of a
    /// derivation. It does not detect deliberate changes; the MAC and the sealing do.
    ///
    /// - Throws: ``SecureStorageError/notAVault``, ``SecureStorageError/truncated``, ``SecureStorageError/damaged``,
    ///   ``SecureStorageError/unsupportedVersion(_:)``, ``SecureStorageError/tooWeakKDF``,
    ///   ``SecureStorageError/tooCostlyKDF``, ``SecureStorageError/outsideLimits(_:)``.
    init(decoding bytes: [UInt8]) throws(SecureStorageError) {
        guard bytes.count <= Limits.fileSize else { throw .outsideLimits(.fileSize) }
        guard Self.magic.starts(with: bytes.prefix(Self.magic.count)) else { throw .notAVault }
        do {
            var reader = try ByteReader(bytes, limit: Limits.fileSize)
            guard try reader.bytes(Self.magic.count).elementsEqual(Self.magic) else {
                throw SecureStorageError.notAVault
            }
            let version = try reader.bigEndian(UInt16.self)
            guard (Self.version...Self.normalisedVersion).contains(version) else {
                throw SecureStorageError.unsupportedVersion(version)
            }
            let size = Int(try reader.bigEndian(UInt32.self))
            guard bytes.count >= size else { throw SecureStorageError.truncated }
            guard bytes.count == size, size >= Self.prefixSize + Self.checksumSize,
                Sealing.digest(of: bytes.dropLast(Self.checksumSize)).elementsEqual(bytes.suffix(Self.checksumSize))
            else { throw SecureStorageError.damaged }
            try self.init(from: &reader, version: version)
        } catch let error as SecureStorageError {
            throw error
        } catch EncodingError.truncated where bytes.count < Self.prefixSize {
            throw .truncated
        } catch {
            throw .damaged
        }
        for slot in slots { try slot.stretching.checkPrice() }
    }

    /// Reads what follows the prefix.
    private init(from reader: inout ByteReader, version: UInt16) throws(EncodingError) {
        id = VaultID(unchecked: [UInt8](try reader.bytes(VaultID.size)))
        generation = try reader.bigEndian(UInt64.self)
        guard Limits.generation.contains(generation) else { throw .notCanonical }
        var anchor: StoreBackend?
        if version > Self.version {
            let code = try reader.uint8()
            anchor = Self.anchors.first { $0.value == code }?.key
            guard anchor != nil || code == 0 else { throw .unsupported }
        }
        let slotCount = Int(try reader.uint8())
        guard (1...Limits.slotCount).contains(slotCount) else { throw .tooLong(limit: Limits.slotCount) }
        var slots: [Slot] = []
        for _ in 0..<slotCount {
            let slot = try Slot(from: &reader)
            guard slot.number > slots.last?.number ?? 0 else { throw .notCanonical }
            slots.append(slot)
        }
        guard Self.version(of: anchor, slots) == version else { throw .notCanonical }
        self.anchor = anchor
        self.slots = slots
        indexSalt = [UInt8](try reader.bytes(Sealing.saltSize))
        let indexSize = Int(try reader.bigEndian(UInt32.self))
        sealedIndex = [UInt8](try reader.bytes(indexSize))
        mac = [UInt8](try reader.bytes(Self.macSize))
        let itemBytes = reader.remaining - Self.checksumSize
        items = [UInt8](try reader.bytes(itemBytes))
        _ = try reader.bytes(Self.checksumSize)
        try reader.finish()
    }

    init(
        id: VaultID, generation: UInt64, anchor: StoreBackend?, slots: [Slot], indexSalt: [UInt8],
        sealedIndex: [UInt8], items: [UInt8]
    ) {
        self.id = id
        self.generation = generation
        self.anchor = anchor
        self.slots = slots
        self.indexSalt = indexSalt
        self.sealedIndex = sealedIndex
        self.items = items
        mac = []
    }
}
