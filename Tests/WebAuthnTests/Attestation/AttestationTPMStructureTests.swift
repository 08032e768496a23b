internal import Crypto
internal import Encoding
internal import TestSupport
internal import Testing

@testable internal import WebAuthn

@Suite("Structures of TPMs")
struct AttestationTPMStructureTests {
    /// Section 16, "ES256 Credential with TPM Attestation".
    private static let certInfo = hex(
        """
        ff544347 8017 0000 0020 277d0e05579dd013215a62273f7f3a3e7e191ead2654a3036d75a5a3ee37a6b0
        0000000000000000 11111111 22222222 33 0000000000000000
        0022 000b9c42d8aad5939331b9af3711af179f17123178098c9a7d0ca89fcd1fc800f3c7 0000
        """)
    private static let pubArea = hex(
        """
        0023 000b 00040000 0000 0010 0010 0003 0010
        0020 41202698c9d9753fb4bb3f27cd09fe6b8afdb76438ee2ae54d7c9dade10d864b
        0020 d8735115cdb330a63ea1d6e43d5000f4bd56f99bce83ee1d73301fc270116d07
        """)
    /// The area of a Windows TPM: SHA-256, a policy, no scheme, 2048 bits, the usual exponent.
    private static let modulus = [UInt8](repeating: 0xc5, count: 256)
    private static let rsaArea =
        hex("0001 000b 00060472 0020" + String(repeating: "09", count: 32) + "0010 0010 0800 00000000 0100") + modulus

    @Test("the certification and the public area of the specification's vector match")
    func vector() throws {
        let certification = try TPMCertification(decoding: Self.certInfo)
        let area = try TPMPublicArea(decoding: Self.pubArea)
        #expect(hex(certification.extraData) == "277d0e05579dd013215a62273f7f3a3e7e191ead2654a3036d75a5a3ee37a6b0")
        #expect(certification.name == area.name)
        #expect(area.nameAlgorithm == .sha256)
        // Only "sign".
        #expect(area.attributes.rawValue == 0x0004_0000)
        let coordinates = Self.pubArea.suffix(68)
        #expect(
            area.key
                == .elliptic(
                    curve: .p256, x: Array(coordinates.dropFirst(2).prefix(32)), y: Array(coordinates.suffix(32))))
    }

    @Test("RSA keys are read, with the default exponent for zero and with another")
    func rsa() throws {
        let area = try TPMPublicArea(decoding: Self.rsaArea)
        #expect(area.key == .rsa(modulus: Self.modulus, exponent: 65_537))
        #expect(area.attributes.isSuperset(of: [.fixedTPM, .fixedParent, .sensitiveDataOrigin]))
        #expect(area.name == hex("000b") + Array(SHA256.hash(data: Self.rsaArea)))
        let other: [UInt8] = Array(Self.rsaArea.dropLast(262)) + hex("00000003 0100") + Self.modulus
        #expect(try TPMPublicArea(decoding: other).key == .rsa(modulus: Self.modulus, exponent: 3))
    }

    @Test("names are computed with the hash of the area")
    func names() throws {
        let sha384: [UInt8] = hex("0023 000c") + Self.pubArea.dropFirst(4)
        #expect(try TPMPublicArea(decoding: sha384).name == hex("000c") + Array(SHA384.hash(data: sha384)))
        let sha512: [UInt8] = hex("0023 000d") + Self.pubArea.dropFirst(4)
        #expect(try TPMPublicArea(decoding: sha512).name == hex("000d") + Array(SHA512.hash(data: sha512)))
        for other in ["0004", "0010", "0012", "0027"] {
            #expect(throws: EncodingError.unsupported) {
                try TPMPublicArea(decoding: hex("0023" + other) + Self.pubArea.dropFirst(4))
            }
        }
    }

    @Test("schemes and derivation functions are skipped")
    func schemes() throws {
        let points = Array(Self.pubArea.suffix(68))
        let key = try TPMPublicArea(decoding: Self.pubArea).key
        for details in [
            // AES-128-CFB; ECDSA with SHA-256; ECDAA with a count; a function that derives keys.
            "0006 0080 0043 0010 0003 0010", "0010 0018 000b 0003 0010", "0010 001a 000b 0001 0003 0010",
            "0010 0010 0003 0020 000b",
        ] {
            #expect(try TPMPublicArea(decoding: hex("0023 000b 00040000 0000" + details) + points).key == key)
        }
        for details in ["0010 0099 000b 0003 0010", "0010 0010 0001 0010", "0010 0010 0020 0010"] {
            #expect(throws: EncodingError.unsupported) {
                try TPMPublicArea(decoding: hex("0023 000b 00040000 0000" + details) + points)
            }
        }
        for details in ["0010 0014 000b 0800 00000000", "0010 0015 0800 00000000"] {
            let area = hex("0001 000b 00060472 0000" + details + "0100") + Self.modulus
            #expect(try TPMPublicArea(decoding: area).key == .rsa(modulus: Self.modulus, exponent: 65_537))
        }
        #expect(throws: EncodingError.unsupported) {
            try TPMPublicArea(decoding: hex("0001 000b 00060472 0000 0010 0018 000b 0800 00000000 0100") + Self.modulus)
        }
    }

    @Test("short coordinates are padded, and ones longer than the field are refused")
    func coordinates() throws {
        let head = [UInt8](Self.pubArea.dropLast(68))
        let short = head + hex("0001 05 0000")
        let zeros = [UInt8](repeating: 0, count: 31)
        #expect(
            try TPMPublicArea(decoding: short).key == .elliptic(curve: .p256, x: zeros + [5], y: zeros + [0]))
        #expect(throws: EncodingError.tooLong(limit: 32)) {
            try TPMPublicArea(decoding: head + hex("0021") + [UInt8](repeating: 1, count: 33) + hex("0000"))
        }
    }

    @Test("a modulus has the length that the area states")
    func modulusLength() {
        let wrong: [UInt8] = Array(Self.rsaArea.dropLast(258)) + hex("0080") + Self.modulus.prefix(128)
        #expect(throws: EncodingError.notCanonical) { try TPMPublicArea(decoding: wrong) }
    }

    @Test("malformed certifications, each with its reason")
    func wrongCertifications() {
        let wrong: [([UInt8], TPMCertification.Fault)] = [
            (Self.certInfo.flipping(0), .magic), (Self.certInfo.flipping(5), .type),
            // A quote.
            (hex("ff544347 8018") + Self.certInfo.dropFirst(6), .type),
            (Self.certInfo + [0], .structure), (Self.certInfo.dropLast(), .structure), ([], .structure),
            (Array(repeating: 0, count: 513), .structure),
            // A name of 67 bytes.
            (hex("ff544347 8017 0043") + [UInt8](repeating: 0, count: 67) + Self.certInfo.dropFirst(8), .structure),
        ]
        for (bytes, fault) in wrong {
            #expect(throws: fault) { try TPMCertification(decoding: bytes) }
        }
        for count in 0..<Self.certInfo.count {
            #expect(throws: TPMCertification.Fault.structure) {
                try TPMCertification(decoding: Array(Self.certInfo.prefix(count)))
            }
        }
    }

    @Test("truncated public areas, left-over bytes and other types are refused")
    func wrongAreas() {
        for area in [Self.pubArea, Self.rsaArea] {
            for count in 0..<area.count {
                #expect(throws: EncodingError.truncated) { try TPMPublicArea(decoding: Array(area.prefix(count))) }
            }
            #expect(throws: EncodingError.leftOver(count: 1)) { try TPMPublicArea(decoding: area + [0]) }
        }
        // A keyed hash, a symmetric cipher.
        for type in ["0008", "0025"] {
            #expect(throws: EncodingError.unsupported) {
                try TPMPublicArea(decoding: hex(type) + Self.pubArea.dropFirst(2))
            }
        }
    }

    @Test("makers are read in the form of certificates")
    func manufacturers() {
        #expect(TPMManufacturer(text: "id:494E5443")?.rawValue == 0x494e_5443)
        #expect(TPMManufacturer(text: "id:49465800").map(TPMManufacturer.registered.contains) == true)
        #expect(TPMManufacturer(text: "id:53544d20").map(TPMManufacturer.registered.contains) == true)
        for unknown in ["id:00000000", "id:FFFFF1D0", "id:FFFFFFFF"] {
            #expect(TPMManufacturer(text: unknown).map(TPMManufacturer.registered.contains) == false)
        }
        for wrong in ["", "494E5443", "id:494E544", "id:494E54433", "ID:494E5443", "id:+94E5443", "id:494E544G"] {
            #expect(TPMManufacturer(text: wrong) == nil)
        }
        #expect(TPMManufacturer.registered.count == 29)
    }

    @Test("any bytes are read or refused, and the name depends on every byte")
    func fuzz() {
        Fuzz.mutations(of: [Self.certInfo, Self.pubArea, Self.rsaArea]) { bytes in
            _ = try? TPMCertification(decoding: bytes)
            guard let area = try? TPMPublicArea(decoding: bytes) else { return }
            #expect(area.name.dropFirst(2).elementsEqual(area.nameAlgorithm.digest(of: bytes)))
        }
    }
}
