import Curves
import Secrets
import TestSupport
import Testing
import Threshold
import ThresholdTestSupport

/// The bytes of every format, written out. If one of these fails, files and messages of earlier versions can no longer
/// be read.
@Suite("FROST: golden bytes")
struct GoldenTests {
    static let secp256k1Key =
        "0101010203" + "034f355bdcb7cc0af728ef3cceb9615d90684bb5b2ca5f859ab0f0b704075871aa"
        + "023c72addb4fdf09af94f0c94d7fe92a386a7e70cf8a1d85916386bb2535c7b1b1"
        + "029ac20335eb38768d2052be1dbbc3c8f6178407458e51e6b4ad22f1d91758895b"
        + "037962d45b38e8bcf82fa8efa8432a01f20c9a53e24c7d3f11df197cb8e70926da"
    static let secp256k1Commitments = [
        "01" + "036930f46dd0b16d866d59d1054aa63298b357499cd1862ef16f3f55f1cafceb82"
            + "0290999dbbf43034bffb1dd53eac1eb4c33a4ea1c4f48ba585cfde3830840f0555",
        "03" + "023c72addb4fdf09af94f0c94d7fe92a386a7e70cf8a1d85916386bb2535c7b1b1"
            + "02407cba6352eaeb9354dc75ca26396785b27a85cfd4d58575de440902292d662a",
    ]
    static let ed25519Key =
        "0101020203" + "07e30b02c9d1ade6cee8f07acdd328fbe905ffc0d027ad132784b415af7b6299"
        + "05a43ec2968d8b26e7a0410fe710d525cb59a430b1ea35cca4465f89921f2fa4"
        + "bdb7e4869ff032dd42814014ba78a23294f1f85774ef5c3d2714fab3f6d0eeb1"
        + "ed6c782edfb994e5b68e6862c51ff5c2d371aff4e266b12eebe82a45ebc0bc79"
    static let ed25519Commitments = [
        "01" + "4e8c9811079f587d06e17ddaa5e25e689d0cf2c0c1df226462221a61d29f098a"
            + "7c82ef92cb0d5a2dac0813c89cdac0e4dc940f3ae57eb25751703d353beb4fc2",
        "03" + "855b9adf23b9dcce8fba853c4d00525453d1f58df117254ee4e6e3c9c706f4e0"
            + "469668d6bcdc2236d172afea7a186c8434fc5239151e7ef4362ec42b5da41e64",
    ]
    static let message = [UInt8](repeating: 0x55, count: 32)

    @Test("group key and key share")
    func keys() throws {
        let secp256k1 = try KnownSession<Secp256k1>()
        #expect(hex(secp256k1.group.encoded) == Self.secp256k1Key)
        #expect(
            hex(reveal(try secp256k1.share(3).encoded()))
                == "01020103" + String(repeating: "77", count: 32) + Self.secp256k1Key)
        let ed25519 = try KnownSession<Ed25519>()
        #expect(hex(ed25519.group.encoded) == Self.ed25519Key)
        #expect(
            hex(reveal(try ed25519.share(3).encoded()))
                == "01020203" + String(repeating: "77", count: 31) + "04" + Self.ed25519Key)
    }

    @Test("fingerprint: SHA-256 of its domain and the group key")
    func fingerprints() throws {
        let domain = "4675656b692f67726f75702d6b65792f31"  // Fueki/group-key/1
        #expect(try KnownSession<Secp256k1>().group.fingerprint == SHA256.hash(hex(domain + Self.secp256k1Key)))
        #expect(try KnownSession<Ed25519>().group.fingerprint == SHA256.hash(hex(domain + Self.ed25519Key)))
    }

    @Test("BIP-340: commitment, signing package, signature share")
    func bip340() throws {
        let known = try KnownSession<Secp256k1>()
        let commitments = try known.commitments()
        #expect(commitments.map { hex($0.encoded) } == Self.secp256k1Commitments.map { "011001" + $0 })
        let tweaks = try [0x41, 0x42].map { try Scalar<Secp256k1>(canonical: [UInt8](repeating: $0, count: 32)) }
        let package = try FROST.BIP340.SigningPackage(
            group: known.group, commitments: commitments.reversed(), tweaks: [.plain(tweaks[0]), .xOnly(tweaks[1])],
            message: Self.message)
        let encoded =
            "011101" + hex(known.group.fingerprint) + "02" + Self.secp256k1Commitments.joined() + "02"
            + "00" + String(repeating: "41", count: 32) + "01" + String(repeating: "42", count: 32)
            + "00000020" + String(repeating: "55", count: 32)
        #expect(hex(package.encoded) == encoded)
        #expect(try FROST.BIP340.SigningPackage(decoding: hex(encoded)) == package)
        let share = try FROST.BIP340.Round2.sign(package, with: known.share(1), nonces: known.nonces(1))
        #expect(hex(share.encoded) == "01120101" + "57c3a6249776a1475d79d012da7f4f455e0ba1789566bf4f3dcac80af5fce808")
    }

    @Test("Ed25519: commitment, signing package, signature share")
    func ed25519() throws {
        let known = try KnownSession<Ed25519>()
        let commitments = try known.commitments()
        #expect(commitments.map { hex($0.encoded) } == Self.ed25519Commitments.map { "011002" + $0 })
        let package = try FROST.Ed25519.SigningPackage(
            group: known.group, commitments: commitments.reversed(), message: Self.message)
        let encoded =
            "011102" + hex(known.group.fingerprint) + "02" + Self.ed25519Commitments.joined()
            + "00000020" + String(repeating: "55", count: 32)
        #expect(hex(package.encoded) == encoded)
        #expect(try FROST.Ed25519.SigningPackage(decoding: hex(encoded)) == package)
        let share = try FROST.Ed25519.Round2.sign(package, with: known.share(1), nonces: known.nonces(1))
        #expect(hex(share.encoded) == "01120201" + "2c76edd4c120ed5b3aadceac1daede9bf214c4f87c4caceb76f7b00f2f0ec500")
    }

    @Test("sizes are as documented")
    func sizes() throws {
        let one = try KnownSession<Secp256k1>()
        let package = try FROST.BIP340.SigningPackage(
            group: one.group, commitments: one.commitments(), tweaks: [], message: Self.message)
        #expect(try one.commitments().map(\.encoded.count) == [70, 70])
        #expect(package.encoded.count == 207)
        let other = try KnownSession<Ed25519>()
        #expect(try other.commitments().map(\.encoded.count) == [68, 68])
        #expect(
            try FROST.Ed25519.SigningPackage(
                group: other.group, commitments: other.commitments(), message: Self.message
            ).encoded.count == 202)
    }
}
