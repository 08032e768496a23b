import Curves
import Secrets
import TestSupport
import Testing
import Threshold
import ThresholdTestSupport

/// Answers to our own inputs, computed independently: by the BIP's reference program for BIP-340, and by a few lines of
/// Python (the signatures verified by `cryptography`) for Ed25519. They test a clone without vectors.
@Suite("FROST: known answers")
struct KnownAnswerTests {
    @Test("BIP-445: shares and signatures, without and with tweaks, with even and odd points")
    func bip340() throws {
        let known = try KnownSession<Secp256k1>()
        let scalar = { (byte: UInt8) in try Scalar<Secp256k1>(canonical: [UInt8](repeating: byte, count: 32)) }
        let cases: [(tweaks: [FROST.BIP340.Tweak], message: [UInt8], shares: [String], signature: String)] = [
            (
                [], [UInt8](repeating: 0x55, count: 32),
                [
                    "b26a7b74cb3cdc50413e48c2cfb7a7b4e0b7a0710248d73c025b16687d58b710",
                    "33c8468692ed90b918b97d87bf0451890660f04acaffaaeb830d25e32f8143d9",
                ],
                "9c3d5907456e5102ff53fec817bf49aa3620fb2ffe76ab55871789db72969751"
                    + "e632c1fb5e2a6d0959f7c64a8ebbf93de71890bbcd48822785683c4bacd9fae9"
            ),
            (
                [.plain(try scalar(0x41)), .xOnly(try scalar(0x42))], [UInt8](repeating: 0x55, count: 32),
                [
                    "57c3a6249776a1475d79d012da7f4f455e0ba1789566bf4f3dcac80af5fce808",
                    "6099b3dcb889072676156b4b0663b99eac4c6066c9b875bad75594e75f09b364",
                ],
                "ac5ab083d7eff7b71769ddfc046f92d7642b2cba310bf4f382b519c040490d24"
                    + "49a3f305e3a26ba0018c00ce6614aaf88eacfb4db2ed2ddc23c01c01071b0318"
            ),
            (
                [.xOnly(try scalar(0x43)), .plain(try scalar(0x44)), .xOnly(try scalar(0x45))], Array("abc".utf8),
                [
                    "a19169153c8405984fae43fd15d13896867c7bf433745fa93d50f30b4c8fe890",
                    "1818c496064c468fe8746e3c78bf85457f9eb80b8139aff645432c0661c82850",
                ],
                "efd5f87f99850fa950a5d2b5346ab375885e1ea99e577db51988849c6279f5f3"
                    + "b1a485bbf7760c9333a2c19e00937bc34adca41a70ccac35e372433c9a215da1"
            ),
        ]
        for (tweaks, message, shares, signature) in cases {
            let package = try FROST.BIP340.SigningPackage(
                group: known.group, commitments: known.commitments(), tweaks: tweaks, message: message)
            let answers = try known.signers.map {
                try FROST.BIP340.Round2.sign(package, with: known.share($0), nonces: known.nonces($0))
            }
            #expect(answers.map { hex($0.value.encoded) } == shares)
            #expect(hex(try FROST.BIP340.aggregate(answers, of: package, in: known.group)) == signature)
        }
        let key = try FROST.BIP340.TweakedKey(known.group.publicKey, tweaks: cases[1].tweaks)
        #expect(hex(key.xOnly) == "823c3cd2142744b075a87eade7e1b8678ba308d566226a0056ca2b7a76f86b47")
    }

    @Test("RFC 9591: shares and signatures over Ed25519")
    func ed25519() throws {
        let known = try KnownSession<Ed25519>()
        let cases: [(message: [UInt8], shares: [String], signature: String)] = [
            (
                [UInt8](repeating: 0x55, count: 32),
                [
                    "2c76edd4c120ed5b3aadceac1daede9bf214c4f87c4caceb76f7b00f2f0ec500",
                    "fd0fb7a257c6b81121fee40be877e19a5b166b7cca53ed14aa6658e6821a8d05",
                ],
                "1a4f2a73dbdb2159460a16b3fa154240ff342d418870329002a6e431a7ae299b"
                    + "2986a47719e7a56d5babb3b80526c0364e2b2f7547a09900215e09f6b1285206"
            ),
            (
                [],
                [
                    "a360453931a0e0a5d38608b17bc27a32c06fa8ea61c9ebe4cd8ca3aacaf22508",
                    "6dda53680126d06e75565f7d286b6825517c2ac71320edfb2fbe632f2433e002",
                ],
                "4cc2015f0bb9bb81b84d85350489f1d7e206ce8f7e2173e8b7cb8bd22dfa965d"
                    + "103b99a132c6b01449dd672ea42de35711ecd2b175e9d8e0fd4a07daee25060b"
            ),
            (
                Array("abc".utf8),
                [
                    "4fdee2bb562cab6d6dafe93f5703a9ae4bbfe111e0e2bdd68f861a80c9ff0d0a",
                    "d965df5cc39621fe9fd51e06fc12265096c8e067108a2a6bbebfdcf6dd6aed09",
                ],
                "06b2e73a6f77256e593534c33e333ae0a862f225358d2e7c1ac30d8bb3607045"
                    + "3b70ccbbff5fba1337e810a3741cf0e9e187c279f06ce8414e46f776a76afb03"
            ),
        ]
        for (message, shares, signature) in cases {
            let package = try FROST.Ed25519.SigningPackage(
                group: known.group, commitments: known.commitments(), message: message)
            let answers = try known.signers.map {
                try FROST.Ed25519.Round2.sign(package, with: known.share($0), nonces: known.nonces($0))
            }
            #expect(answers.map { hex($0.value.encoded) } == shares)
            #expect(hex(try FROST.Ed25519.aggregate(answers, of: package, in: known.group)) == signature)
        }
    }
}
