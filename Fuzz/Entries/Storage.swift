internal import Encoding
internal import Secrets

@testable internal import SecureStorage

extension FuzzEntry {
    /// The files of the library SecureStorage.
    static let storage: [FuzzEntry] = [
        FuzzEntry("vault", seeds: try SeedVault.images.map(\.encoded)) { try VaultImage(decoding: $0).encoded },
        // A vault without its checksum, and of any size that it claims: both are corrected, so that the rest is read.
        FuzzEntry("vault-body", seeds: try SeedVault.images.map { $0.encoded.dropLast(VaultImage.checksumSize) }) {
            input in
            var bytes = input
            if bytes.count >= 14 {
                bytes.replaceSubrange(10..<14, with: SeedVault.bigEndian(bytes.count + VaultImage.checksumSize))
            }
            bytes += Sealing.digest(of: bytes)
            let image = try VaultImage(decoding: bytes)
            precondition(image.encoded == bytes, "written differently")
            return input
        },
        FuzzEntry("vault-index", seeds: try SeedVault.indexes.map(\.encoded)) {
            try VaultIndex(decoding: $0, upTo: 7).encoded
        },
        FuzzEntry("token-list", seeds: try SeedVault.tokenLists()) { input in
            let tokens = try TokenList(decoding: secret(input))
            for position in 0..<tokens.count {
                precondition(tokens.token(at: position)?.count ?? 0 > 0, "a token without bytes")
            }
            return exposed(tokens.encoded)
        },
        FuzzEntry("generation", seeds: [GenerationFolder.encode(7, of: SeedVault.id)]) {
            GenerationFolder.encode(try GenerationFolder.decode($0, of: SeedVault.id), of: SeedVault.id)
        },
        FuzzEntry("store-record", seeds: [Array("fueki store 1\nsecret-service 0123456789abcdef\n".utf8)]) {
            try StoreRecord(decoding: $0).encoded
        },
        FuzzEntry(
            "store-migration", seeds: [Array("fueki migration 1\n-\ntpm 0123456789abcdef\nmoved\n".utf8)]
        ) { try StoreMigration(decoding: $0).encoded },
        FuzzEntry("values", seeds: [[1, 0x61, 1, 0x61, 0, 0, 0, 1, 7, 1, 0x61, 1, 0x62, 0, 0, 0, 0]]) {
            try ValueTable(decoding: $0[...]).encoded
        },
    ]
}

/// Vaults whose sealed parts are random bytes.
private enum SeedVault {
    static let id = VaultID(unchecked: [UInt8](0..<16))

    static func bigEndian(_ number: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }

    private static func random(_ count: Int) -> [UInt8] { SeedRandom(UInt64(count)).publicBytes(count: count) }

    private static func slot(_ number: UInt8, _ stretching: [UInt8], sealed: [UInt8] = []) throws -> Slot {
        let bytes = [number] + stretching + random(Stretching.saltSize) + sealed + random(Slot.wrappedSize)
        var reader = try ByteReader(bytes, limit: bytes.count)
        return try Slot(from: &reader)
    }

    /// Vaults with one of each kind of slot: Argon2id of 64 MiB and 3 passes, PBKDF2 of 600,000 rounds, and
    /// Argon2id with a device.
    static var images: [VaultImage] {
        get throws {
            let slots = [
                try slot(1, [1] + bigEndian(65_536) + bigEndian(3)),
                try slot(2, [2] + bigEndian(600_000)),
                try slot(3, [3, 1] + bigEndian(65_536) + bigEndian(3), sealed: [0, 40] + random(40)),
            ]
            return [slots, [slots[0]]].map { slots in
                var image = VaultImage(
                    id: id, generation: 7, anchor: slots.count > 1 ? .tpm : nil, slots: slots,
                    indexSalt: random(Sealing.saltSize), sealedIndex: random(40),
                    items: random(50))
                image.mac = random(VaultImage.macSize)
                return image
            }
        }
    }

    static var indexes: [VaultIndex] {
        get throws {
            let items = try ["a", "b"].map { account in
                SealedItem(
                    name: try ItemName(service: "service", account: account), attributes: .critical(.keyShare),
                    generation: 3,
                    salt: random(Sealing.saltSize), sealed: random(Sealing.overhead + 1))
            }
            return [VaultIndex(of: items), VaultIndex(of: [])]
        }
    }

    static func tokenLists() throws -> [[UInt8]] {
        let list = try TokenList().appending(secret([1, 2, 3])).appending(secret([4]))
        return [exposed(TokenList().encoded), exposed(list.encoded)]
    }
}
