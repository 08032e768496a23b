import Curves
import TestSupport
import Testing

@testable import Threshold

/// Of each message of two sessions its step, sender, recipient (the sender where it goes to all) and SHA-256, and the signatures.
/// The model makes the same (``ModelTests``). If one of these changes, signers of different versions no longer understand each
/// other.
@Suite("ECDSA: golden bytes")
struct GoldenSigning {
    static func twoOfTwo() throws -> KnownSigning { try KnownSigning(2, of: 2, signers: [1, 2], seed: 1) }
    static func twoOfThree() throws -> KnownSigning { try KnownSigning(2, of: 3, signers: [1, 3], tweak: 41, seed: 2) }

    @Test("2 of 2")
    func twoOfTwo() throws {
        let known = try Self.twoOfTwo()
        #expect(
            known.digests == [
                "1 1 1 c402ffaebb76f456d7f1dc839f183cce07a081a642a1630086fe85a58a8c4b72",
                "1 2 2 8d19b5cde78f5b3c2039ecdbcd9d0fb5f02e036466ab277056a1ad68a85e42d1",
                "2 2 1 ae2de6921928c1c1807e99a4d6a27369acd7ebd4b23b76b452f8c4b8d44e8f1c",
                "2 1 2 85e5b310bcc8841e59c58082910364bd21325eb3e2adcfdfdaae3e4f35db901a",
                "3 2 1 97a409ef7ed2a08341c4e38d372f298983905d999d9e6ce3ce444ef55d3d3805",
                "3 1 2 0efb52529a441e25850c23a65d5b4fbe0a157360379ce75f5d1187538568eaaa",
                "4 1 1 28c3961ca6908a46aed3d7f6d06b712d24afb80419f2c9f2718f8cf5def150da",
                "4 2 2 da151a888d6097ab13c00d2a1c54b57d2672827d0bd0212e4b3fda60e31f1611",
            ])
        #expect(
            hex(known.result.signature.compact)
                == "1574ceba420ec15333d9a37f951841fcae81b4742def236ef09c6e1b86e1737d"
                + "6abd0de8442d81af878330ed843ad809d20059eb9f1f4aeb75c551987a5e8ffb")
        #expect(known.result.recoveryID == 1)
    }

    @Test("2 of 3, with a tweak")
    func twoOfThree() throws {
        let known = try Self.twoOfThree()
        #expect(
            known.digests == [
                "1 1 1 77a67cb87693b4ce8e696afac362d2b35444788f9aaa5864cabaf16b002c1713",
                "1 3 3 6e58763314542da260db2a6fd8f544a34ed08c041862b70f296147758f48ee0b",
                "2 3 1 9ed04805a3c225529b19659c0de99ee3a690a8b208df37376e0b53df741c939a",
                "2 1 3 475787db747e7cfd9b6a65ad9da989544eb345a5acf69da3f9832eb3c8154497",
                "3 3 1 d0ee8a1958db4b585324eef5dbb1733fdfd5994a954d02597a943e1c427e911e",
                "3 1 3 28a32590b9af340fb41ec8484cdec949977ff23d8c8f929e20766addeb3e0fe3",
                "4 1 1 08cebc51ee21b048bb37e94b4a2b92ea3a011ae77ef7ca1b737a208906d91f78",
                "4 3 3 884a4b1a23a2c1b19a611df1adf36c578057c631e4036a4173fdebeab2106caa",
            ])
        #expect(
            hex(known.result.signature.compact)
                == "5218d65fa7c14908056b6d3893897a1ffd699195326f010ae036a9b01fc61acf"
                + "39fb3950e0ab0e959d108c56531b70fc4051c8d95d809369111d65fbc8e02d72")
        #expect(known.result.recoveryID == 0)
    }
}
