internal import Crypto
internal import Encoding
internal import TestSupport
internal import Testing

@testable internal import WebAuthn

@Suite("Authenticator data")
struct AuthenticatorDataTests {
    private static let key = COSEKey(P256.Signing.PrivateKey().publicKey).encoded
    private static let aaguid = hex("8446ccb9ab1db374750b2367ff6f3a1f")

    private static func data(
        flags: UInt8 = 0x01, count: [UInt8] = [0, 0, 0, 0], credential: [UInt8] = [], extensions: [UInt8] = []
    ) -> [UInt8] { [UInt8](repeating: 0xab, count: 32) + [flags] + count + credential + extensions }

    private static func credential(id: Int, key: [UInt8] = key) -> [UInt8] {
        aaguid + [UInt8(id >> 8), UInt8(id & 255)] + [UInt8](repeating: 0x77, count: id) + key
    }

    private static let extensions = map([("credProtect", 2)]).encoded

    @Test("the shortest data have 37 bytes: a hash, flags, a counter")
    func shortest() throws {
        let data = try AuthenticatorData(decoding: Self.data(flags: 0x1d, count: [1, 2, 3, 4]))
        #expect(data.relyingPartyIDHash == [UInt8](repeating: 0xab, count: 32))
        #expect(data.flags == [.userPresent, .userVerified, .backupEligible, .backedUp])
        #expect(data.signCount == 0x0102_0304)
        #expect(data.credential == nil)
        #expect(data.extensions == nil)
        #expect(data.bytes == Self.data(flags: 0x1d, count: [1, 2, 3, 4]))
    }

    @Test("a credential follows if its flag is set, and extensions follow if theirs is")
    func parts() throws {
        let both = try AuthenticatorData(
            decoding: Self.data(flags: 0xc1, credential: Self.credential(id: 32), extensions: Self.extensions))
        #expect(both.credential?.aaguid.bytes == Self.aaguid)
        #expect(both.credential?.aaguid.description == "8446ccb9-ab1d-b374-750b-2367ff6f3a1f")
        #expect(both.credential?.id.bytes == [UInt8](repeating: 0x77, count: 32))
        #expect(both.credential?.publicKey.encoded == Self.key)
        #expect(both.extensions?.entries.map(\.value) == [2])
        let extended = try AuthenticatorData(decoding: Self.data(flags: 0x81, extensions: Self.extensions))
        #expect(extended.credential == nil)
        #expect(extended.extensions?.entries.map(\.key) == ["credProtect"])
    }

    @Test("flags and contents have to agree: bytes without a flag, and a flag without bytes, are refused")
    func flagsAndParts() {
        let malformed = WebAuthnError.malformed(.authenticatorData)
        let credential = Self.credential(id: 32)
        for wrong in [
            Self.data(flags: 0x01, credential: credential), Self.data(flags: 0x01, extensions: Self.extensions),
            Self.data(flags: 0x41, credential: credential, extensions: Self.extensions),
            Self.data(flags: 0x41), Self.data(flags: 0x81), Self.data(flags: 0xc1, credential: credential),
            Self.data(flags: 0x81, extensions: Self.extensions + [0]), Self.data() + [0], [], Self.data().dropLast(),
        ] {
            #expect(throws: malformed) { try AuthenticatorData(decoding: Array(wrong)) }
        }
    }

    @Test("a credential that is not backup eligible cannot be backed up")
    func backup() throws {
        for flags: UInt8 in [0x11, 0x10, 0x15] {
            #expect(throws: WebAuthnError.inconsistentBackupFlags) {
                try AuthenticatorData(decoding: Self.data(flags: flags))
            }
        }
        #expect(try AuthenticatorData(decoding: Self.data(flags: 0x09)).flags == [.userPresent, .backupEligible])
    }

    @Test("reserved bits are kept")
    func reservedBits() throws {
        #expect(try AuthenticatorData(decoding: Self.data(flags: 0x23)).flags.rawValue == 0x23)
    }

    @Test("an identifier has 1 to 1,023 bytes")
    func identifiers() throws {
        for count in [1, 16, 1023] {
            let data = try AuthenticatorData(decoding: Self.data(flags: 0x41, credential: Self.credential(id: count)))
            #expect(data.credential?.id.bytes.count == count)
        }
        for count in [0, 1024, 4096] {
            #expect(throws: WebAuthnError.malformed(.credentialID)) {
                try AuthenticatorData(decoding: Self.data(flags: 0x41, credential: Self.credential(id: count)))
            }
        }
        // The stated length exceeds the rest.
        var long = Self.data(flags: 0x41, credential: Self.credential(id: 32))
        long[54] = 0xff
        #expect(throws: WebAuthnError.malformed(.authenticatorData)) { try AuthenticatorData(decoding: long) }
    }

    @Test("an error in the key is reported as the key's")
    func keys() {
        for (key, error) in [
            ([0xa0], .malformed(.publicKey)), ([], .malformed(.publicKey)), ([0xff], .malformed(.publicKey)),
            (map([(1, 1), (3, -53), (-1, 7), (-2, .bytes([]))]).encoded, .unsupportedAlgorithm(-53)),
        ] as [([UInt8], WebAuthnError)] {
            #expect(throws: error) {
                try AuthenticatorData(decoding: Self.data(flags: 0x41, credential: Self.credential(id: 4, key: key)))
            }
        }
    }

    @Test("extensions are a map with text keys")
    func extensionsAreAMap() throws {
        for wrong in [map([(1, 2)]), map([(.bytes([1]), 2)]), .array([]), .null] {
            #expect(throws: WebAuthnError.malformed(.extensions)) {
                try AuthenticatorData(decoding: Self.data(flags: 0x81, extensions: wrong.encoded))
            }
        }
        let empty = try AuthenticatorData(decoding: Self.data(flags: 0x81, extensions: [0xa0]))
        #expect(empty.extensions?.entries.isEmpty == true)
    }

    @Test("the number of bytes is limited")
    func size() throws {
        func padded(to count: Int) -> [UInt8] {
            Self.data(
                flags: 0x81,
                extensions: map([("a", .bytes([UInt8](repeating: 0, count: count - 37 - 6)))]).encoded)
        }
        let limit = WebAuthnLimits.authenticatorDataBytes
        #expect(padded(to: limit).count == limit)
        _ = try AuthenticatorData(decoding: padded(to: limit))
        #expect(throws: WebAuthnError.malformed(.authenticatorData)) {
            try AuthenticatorData(decoding: padded(to: limit + 1))
        }
    }

    @Test("AAGUIDs have the same text as in metadata")
    func aaguids() throws {
        let aaguid = try AAGUID("8446CCB9-ab1d-b374-750b-2367ff6f3a1f")
        #expect(aaguid.bytes == Self.aaguid)
        #expect(!aaguid.isZero)
        #expect(AAGUID.zero.description == "00000000-0000-0000-0000-000000000000")
        #expect(AAGUID(bytes: [1, 2]) == nil)
        for wrong in [
            "", "8446ccb9ab1db374750b2367ff6f3a1f", "8446ccb-9ab1d-b374-750b-2367ff6f3a1f",
            "x446ccb9-ab1d-b374-750b-2367ff6f3a1f",
        ] {
            #expect(throws: EncodingError.self) { try AAGUID(wrong) }
        }
    }

    @Test("accepted data have no left-over bytes")
    func fuzz() {
        let seeds = [
            Self.data(), Self.data(flags: 0x41, credential: Self.credential(id: 16)),
            Self.data(flags: 0xdd, credential: Self.credential(id: 3), extensions: Self.extensions),
            Self.data(flags: 0x81, extensions: Self.extensions),
        ]
        let accepted = Fuzz.roundTrips(of: seeds, decode: { try AuthenticatorData(decoding: $0) }) { data in
            var bytes = data.relyingPartyIDHash + [data.flags.rawValue]
            bytes += withUnsafeBytes(of: data.signCount.bigEndian) { Array($0) }
            if let credential = data.credential {
                let count = credential.id.bytes.count
                bytes += credential.aaguid.bytes + [UInt8(count >> 8), UInt8(count & 255)] + credential.id.bytes
                bytes += credential.publicKey.encoded
            }
            return bytes + (data.extensions.map { CBOR.map($0).encoded } ?? [])
        }
        #expect(accepted > 0.05)
    }
}
