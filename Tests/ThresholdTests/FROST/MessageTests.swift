import Curves
import Encoding
import Secrets
import TestSupport
import Testing
import Threshold

@Suite("FROST: message formats")
struct MessageTests {
    static let protocols = SigningTests.protocols

    @Test("each message decodes to itself", arguments: protocols)
    func roundTrip(_ scheme: any SigningProtocol.Type) throws {
        func check<Scheme: SigningProtocol>(_: Scheme.Type) throws {
            let signing = try Signing<Scheme>(2, of: 3, by: [3, 1], random: SeededRandom(seed: 20))
            let package = try signing.package()
            let share = try signing.signers[0].sign(package)
            #expect(try FROST.Commitment(decoding: signing.commitments[0].encoded) == signing.commitments[0])
            #expect(try Scheme.decode(Scheme.encode(package)) == package)
            #expect(try FROST.SignatureShare(decoding: share.encoded) == share)
        }
        try check(scheme)
    }

    @Test(
        "cut short, or with a byte more, or of another version, kind or curve, a message is refused",
        arguments: protocols)
    func strictness(_ scheme: any SigningProtocol.Type) throws {
        func check<Scheme: SigningProtocol>(_: Scheme.Type) throws {
            let signing = try Signing<Scheme>(2, of: 3, by: [3, 1], random: SeededRandom(seed: 21))
            let package = try signing.package()
            let share = try signing.signers[0].sign(package)
            let decoders: [([UInt8], ([UInt8]) throws -> Void)] = [
                (signing.commitments[0].encoded, { _ = try FROST.Commitment<Scheme.Group>(decoding: $0) }),
                (Scheme.encode(package), { _ = try Scheme.decode($0) }),
                (share.encoded, { _ = try FROST.SignatureShare<Scheme.Group>(decoding: $0) }),
            ]
            for (bytes, decode) in decoders {
                for count in 0..<bytes.count {
                    #expect(throws: ThresholdError.malformed(.truncated)) { try decode(Array(bytes[..<count])) }
                }
                #expect(throws: ThresholdError.malformed(.leftOver(count: 1))) { try decode(bytes + [0]) }
                for offset in 0..<3 {
                    var other = bytes
                    other[offset] ^= 3
                    #expect(throws: ThresholdError.malformed(.unsupported)) { try decode(other) }
                }
            }
        }
        try check(scheme)
    }

    @Test("misordered and repeated commitments are not a valid package", arguments: protocols)
    func order(_ scheme: any SigningProtocol.Type) throws {
        func check<Scheme: SigningProtocol>(_: Scheme.Type) throws {
            let signing = try Signing<Scheme>(2, of: 3, by: [1, 2], random: SeededRandom(seed: 22))
            let bytes = Scheme.encode(try signing.package())
            let size = signing.commitments[0].encoded.count - 3
            let (first, second) = (bytes[36..<(36 + size)], bytes[(36 + size)..<(36 + 2 * size)])
            let swapped = bytes[..<36] + second + first + bytes[(36 + 2 * size)...]
            #expect(throws: ThresholdError.malformed(.notCanonical)) { try Scheme.decode(Array(swapped)) }
            let doubled = bytes[..<36] + first + first + bytes[(36 + 2 * size)...]
            #expect(throws: ThresholdError.duplicateParticipant(try ParticipantIndex(1))) {
                try Scheme.decode(Array(doubled))
            }
        }
        try check(scheme)
    }

    @Test("a scalar that is not reduced, and malformed points, are refused", arguments: protocols)
    func elements(_ scheme: any SigningProtocol.Type) throws {
        func check<Scheme: SigningProtocol>(_: Scheme.Type) throws {
            let signing = try Signing<Scheme>(2, of: 3, by: [1, 2], random: SeededRandom(seed: 23))
            let share = try signing.signers[0].sign(signing.package())
            var bytes = share.encoded
            bytes.replaceSubrange(4..<36, with: [UInt8](repeating: 255, count: 32))
            #expect(throws: ThresholdError.invalidElement) { try FROST.SignatureShare<Scheme.Group>(decoding: bytes) }
            let commitment = signing.commitments[0].encoded
            let size = (commitment.count - 4) / 2
            for start in [4, 4 + size] {
                for filler: UInt8 in [0, 255] {
                    var bytes = commitment
                    bytes.replaceSubrange(start..<(start + size), with: [UInt8](repeating: filler, count: size))
                    #expect(throws: ThresholdError.invalidElement) {
                        try FROST.Commitment<Scheme.Group>(decoding: bytes)
                    }
                }
            }
        }
        try check(scheme)
    }

    @Test("a message over the limit, and a tweak of unknown mode, are refused")
    func limits() throws {
        let known = try KnownSession<Secp256k1>()
        let longest = [UInt8](repeating: 0x55, count: ThresholdLimits.messageSize)
        var bytes = try FROST.BIP340.SigningPackage(
            group: known.group, commitments: known.commitments(), tweaks: [.plain(.one)], message: longest
        ).encoded
        #expect(try FROST.BIP340.SigningPackage(decoding: bytes).message == longest)
        let mode = 36 + 2 * 67 + 1
        let length = mode + 33
        #expect(bytes[length..<(length + 4)] == [0, 1, 0, 0])
        bytes[length + 3] = 1
        #expect(throws: ThresholdError.malformed(.tooLong(limit: ThresholdLimits.messageSize))) {
            try FROST.BIP340.SigningPackage(decoding: bytes + [0])
        }
        bytes[length + 3] = 0
        bytes[mode] = 2
        #expect(throws: ThresholdError.malformed(.unsupported)) { try FROST.BIP340.SigningPackage(decoding: bytes) }
    }

    @Test("torsion_points_rejected: a commitment outside the prime-order subgroup is refused")
    func torsion() throws {
        let signing = try Signing<Ed25519UnderTest>(2, of: 3, by: [1, 2], random: SeededRandom(seed: 24))
        // The eight points of small order (RFC 8032's curve), including the identity.
        let small = [
            "0100000000000000000000000000000000000000000000000000000000000000",
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "0000000000000000000000000000000000000000000000000000000000000080",
            "0000000000000000000000000000000000000000000000000000000000000000",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
        ]
        for point in small {
            var bytes = signing.commitments[0].encoded
            bytes.replaceSubrange(4..<36, with: hex(point))
            #expect(throws: ThresholdError.invalidElement) { try FROST.Commitment<Ed25519>(decoding: bytes) }
        }
    }

    @Test("mutated messages give a named abort or a valid signature, never an invalid one", arguments: protocols)
    func mutatedMessages(_ scheme: any SigningProtocol.Type) throws {
        func check<Scheme: SigningProtocol>(_: Scheme.Type) throws {
            let random = SeededRandom(seed: 25)
            for _ in 0..<60 {
                let signing = try Signing<Scheme>(2, of: 3, by: [1, 3], random: random)
                let target = random.below(3)
                func pass(_ bytes: [UInt8], _ kind: Int) -> [UInt8] {
                    guard kind == target else { return bytes }
                    var bytes = bytes
                    switch random.below(8) {
                    case 0: bytes.removeLast(1 + random.below(bytes.count))
                    case 1: bytes.insert(UInt8(random.below(256)), at: random.below(bytes.count))
                    default: bytes[random.below(bytes.count)] ^= 1 << random.below(8)
                    }
                    return bytes
                }
                do throws(ThresholdError) {
                    let first = try FROST.Commitment<Scheme.Group>(decoding: pass(signing.commitments[0].encoded, 0))
                    let package = try Scheme.package(
                        signing.group, [first, signing.commitments[1]], signing.message)
                    // The first signer gets a package that was changed in transit.
                    let received = try Scheme.decode(pass(Scheme.encode(package), 1))
                    let share = try FROST.SignatureShare<Scheme.Group>(
                        decoding: pass(signing.signers[0].sign(received).encoded, 2))
                    let other = try signing.signers[1].sign(package)
                    let signature = try Scheme.aggregate([share, other], package, signing.group)
                    #expect(Scheme.verifies(signature, signing.message, signing.group), "seed \(random.seed)")
                } catch .faulty(let culprits) {
                    #expect(culprits == [signing.commitments[0].index], "seed \(random.seed), target \(target)")
                } catch {
                    // Every other refusal names the fault of the message.
                }
            }
        }
        try check(scheme)
    }
}
