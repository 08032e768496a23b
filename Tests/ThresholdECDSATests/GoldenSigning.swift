import Curves
import TestSupport
import Testing
import Threshold

@testable import ThresholdECDSA

/// For each message of two sessions its step, sender, recipient (the sender if it goes to all) and SHA-256, and the
/// signatures.
/// The model makes the same (``ModelTests``). If one of these changes, signers of different versions no longer work
/// together.
@Suite("ECDSA: golden bytes")
struct GoldenSigning {
    static func twoOfTwo() throws -> KnownSigning { try KnownSigning(2, of: 2, signers: [1, 2], seed: 1) }
    static func twoOfThree() throws -> KnownSigning { try KnownSigning(2, of: 3, signers: [1, 3], tweak: 41, seed: 2) }

    @Test("2 of 2")
    func twoOfTwo() throws {
        let known = try Self.twoOfTwo()
        #expect(
            known.digests == [
                "1 1 1 bedec2fd9ee4ae5b32da08b3835140e36db478a409e6a8f3f17d2d4047e634ac",
                "1 2 2 f4e95eb02d32d38207a68becf993217d81dc30eba78d4904a4b6bcabe5234be0",
                "2 2 1 46cf44d88ec7b9fdf49b7cd75c95b96d348cff82de387cbcf33e89f776df234a",
                "2 1 2 8b67e8112d92e3cd6713f92cf578a8ff1ad8ffd56ee849b739803277fb1ded7e",
                "3 2 1 58032cb11762e0ea9f0c073bf84c22af3020d080ca97f7eeb65a6977912a69b8",
                "3 1 2 18588cfae97759840be71073ea743d2c510f9d4dec0a58a05ca572d26bec5bec",
                "4 1 1 5e27948deafc1175e06f535e46279c47fde45eb0b7233616975a45513bd75f9a",
                "4 2 2 bff929298ae96df64c9e911548121a55c985216beb7165e54e1029e4c1761e86",
            ])
        #expect(
            hex(known.result.signature.compact)
                == "f1c8a85c908a909a8b40f937839cea0e82e5bb01702e10bb39c4d864d4e3cc0b"
                + "372520d8ec07bb67dbaeb19083cee9d0c1ca10466ce5ccf805139c7f168bca50")
        #expect(known.result.recoveryID == 0)
    }

    @Test("2 of 3, with a tweak")
    func twoOfThree() throws {
        let known = try Self.twoOfThree()
        #expect(
            known.digests == [
                "1 1 1 7976953b9dc5d4b19762ef2781aff76cb259ab75d678b0aee009e6841b20e5fc",
                "1 3 3 2f1c6d76f0d0918d8ba4abb7afca4a48a81c760a758cd9d245ee12d3c64c62a3",
                "2 3 1 ac9c8c04b24153c09420f4142c597d1c4a49e528db4b2dc73e80b576105bfd75",
                "2 1 3 dd0c524f170cad40694cd79c5322ca855b17c40ff372b13c3e83389d759d9443",
                "3 3 1 aaa141ab093ae4ceb9e123e60c4dbc86476cf13031a6b85c16e3f52f9b00342c",
                "3 1 3 23c2cc1dc49bd401b9549c250ca3b1f873b6b405389eec2d285864bdadddaada",
                "4 1 1 0a7d1695b98d7527dcc12c86db6975d404cc6c0122b243c8aa35e8c9d290cb62",
                "4 3 3 1071f94e8910e03762b6786f9821fbc390549fea4240b54bc8c457ed22104847",
            ])
        #expect(
            hex(known.result.signature.compact)
                == "ff50096ad4a695ac3d41763e70d85091a667e8558f9aacb0dfc19a39052864c9"
                + "6cae94cc8b7e62c92349b26017cc92ddba8b1f3619a54400d801d8112c4a462c")
        #expect(known.result.recoveryID == 1)
    }
}
