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
                "1 1 1 74af4c7840d7f9ba2b038e2b5b93f734de0016fb7dc093bd3b6d7e936cdefaa4",
                "1 2 2 64fa4097a9a3d0f648881ddaf47a6781bb0acb79daa41a7f99d18a4ff28ae6bc",
                "2 2 1 df5bb8b7f79d081ae4d0b7167f445d8fd589b64f38f4f1dbe5d662e838c49d34",
                "2 1 2 1a21bc4f6eed94aa601bdd33f55432ce22abbd558549f1a908ef622e1dd7c15c",
                "3 2 1 94b4372ac8c2e409e24ee1b3a00cf13b34590e4894c1daaf9c5c7137e648b3e1",
                "3 1 2 1f1a678bc83912bd006c4ce3e65307e0dbdedb0dfa5253b65fe75f74a2396856",
                "4 1 1 2a258ea14009727e16b1fc0c32272c991f61bcbfdbe2504f67446127a02ed440",
                "4 2 2 30c5b0821586d6c47fd7f5135763dd2c10c3a876dc045dd78c31e34a7e21c4f0",
            ])
        #expect(
            hex(known.result.signature.compact)
                == "915b62b579685bfc43b39bdb7fad2a1a44e31cff9a2924fb439c0011a163dab2"
                + "1fd1d0b2c6a793c4194e82038b199273eef1d9f15052934d115721fa89225b2b")
        #expect(known.result.recoveryID == 1)
    }

    @Test("2 of 3, with a tweak")
    func twoOfThree() throws {
        let known = try Self.twoOfThree()
        #expect(
            known.digests == [
                "1 1 1 892a2776ae3e9d833a01b07f29778e9ce1fcf9a0a6e354159230da4330f964c7",
                "1 3 3 6f3fb356148aec70e361cbdff45c5a6ed70b3e2cb53d02b487273c73dff27a49",
                "2 3 1 7adb2b58f84250d78d926749c455795e0929343023d9c47ff94fa6f729430305",
                "2 1 3 d5f139dd0dd9d41c29ed6690e9b3626457673d93881692146f86bcecbf536329",
                "3 3 1 2b3256c89949aad4bb8f242dca85ee000ef5654d4eda6856e585e66118792886",
                "3 1 3 0dc2c71c6be5bbc01734a44f9578a601063f242198a5b402723ffdec6be9f4ec",
                "4 1 1 bba2a78feaa443a49e22fe5fba6f768db8095fd2b3fddad32aeb312e59d46c34",
                "4 3 3 4272ebd4f0ae10f1566e43755e1b750c723caeb4a0d50cdedee2781aea71bb9c",
            ])
        #expect(
            hex(known.result.signature.compact)
                == "026017517c9b3a8406ce83d3b44177c95ca3b79cb39c67df3d319f3588a10abd"
                + "0f2f1626ccf166d843778ca54a9af57a1f58baac844a60c7fb1c7dc863aae2bb")
        #expect(known.result.recoveryID == 1)
    }
}
