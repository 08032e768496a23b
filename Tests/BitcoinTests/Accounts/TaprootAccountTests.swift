import BitcoinTestSupport
import Curves
import Encoding
import Foundation
import Secrets
import TestSupport
import Testing

@testable import Bitcoin
@testable import HDKeys

@Suite("Taproot accounts")
struct TaprootAccountTests {
    /// Derived by embit from `02 ‖ x` of the group key and BIP-328's chain code. 7·G and 6·G: even, and odd.
    @Test(
        "a group key of either parity has the keys and addresses that embit derives from its x coordinate",
        arguments: [
            (
                UInt64(7), true, "5dedfbf9",
                "tpubD6NzVbkrYhZ4XgHkCEtfpuZPJDLaLPxu5ZBEtAbub9GcUX1mTS2t3eCnBXS9KN1Xc3hqaxgX2sqN2RiWRnJVCkUXW1T7S5UKBuXzc74pu23",
                [
                    "bcrt1pakp4qqjlkpu7z5p5rxnltfsz3l9u9tjdxarceqpmd4cxl0jmlgwq59v5e7",
                    "bcrt1px57lgzfwhp7s2xcfsf35lgv5y9hpqjny0qsvkg4dyhj5vxzegzzswzdvxs",
                    "bcrt1p8hcrhqzltsp7g3gnfuqfet8jf3cjlxrcxay2paatsm20ywnw5l5sp2xd9f",
                ]
            ),
            (
                UInt64(6), false, "da9ed2be",
                "tpubD6NzVbkrYhZ4XgHkCEtfpuZPJDLaLPxu5ZBEtAbub9GcUX1mTS2t3eCnBYg2shm3gnWcDmKmahAGT5uukxghHAzj3V8RHzjestAYGkG3Wih",
                [
                    "bcrt1pkhj0nnn3p968k30c6g7qy9crlmspnx58xp6v2wxvww0q7ww43v3q77rmg2",
                    "bcrt1ptalrytculadq7ddest2nnswzrzkvk7d7jykm2aq5ru5hgxwruals9jk5nz",
                    "bcrt1pwed677awpw769cv8a4wltsplcrfv34ekr5uvx3qknex20cd22pvsdlm4qr",
                ]
            ),
        ])
    func parities(
        _ secret: UInt64, _ isEven: Bool, _ fingerprint: String, _ text: String, _ addresses: [String]
    ) throws {
        let group = Secp256k1.Point.generator.multipliedVariableTime(by: Scalar(secret))
        #expect(group.hasEvenY == isEven)
        let account = try TaprootAccount(groupKey: group, network: .regtest)
        #expect(account.key.fingerprint.description == fingerprint)
        #expect(account.key.text(on: .regtest) == text)
        #expect(account.key.point.xOnly == group.xOnly)
        let paths = [
            try AddressPath(.receive, index: 0), try AddressPath(.change, index: 5),
            try AddressPath(.receive, index: 0x7FFF_FFFF),
        ]
        #expect(try paths.map { try account.address(at: $0).description } == addresses)
        #expect(try TaprootAccount(groupKey: -group, network: .regtest) == account)
    }

    @Test("tweaks lead from the group's secret key, even or odd, to the address key")
    func tweaks() throws {
        let random = SeededRandom(seed: 3)
        var parities: Set<Bool> = []
        for _ in 0..<40 {
            let signer = try LoneSigner(
                secret: Scalar(reducing: random.publicBytes(count: 32)), network: .regtest, scanning: 0)
            let group = Secp256k1.Point.generator.multipliedVariableTime(by: signer.secret)
            parities.insert(group.hasEvenY)
            let path = try AddressPath(random.below(2) == 0 ? .receive : .change, index: UInt32(random.below(1 << 31)))
            let key = try signer.account.key(at: path)
            #expect(key.tweaks.map(\.isXOnly) == [true, false, true])
            // Directly: the group's point with even y, then the tweaks of BIP-32 and BIP-341.
            let even = try Secp256k1.Point(xOnly: group.xOnly)
            let child = key.tweaks.prefix(2).reduce(even) {
                $0 + Secp256k1.Point.generator.multipliedVariableTime(by: $1.scalar)
            }
            #expect(child.xOnly == key.internalKey, "seed \(random.seed)")
            #expect(try TaprootOutput(internalKey: child).outputKey == key.outputKey, "seed \(random.seed)")
            // As signers do it: on the group's secret key unchanged.
            let point = Secp256k1.Point.generator.multipliedVariableTime(by: signer.tweakedSecret(key.tweaks))
            #expect(point.xOnly == key.outputKey, "seed \(random.seed)")
        }
        #expect(parities.count == 2)
    }

    @Test("an imported key with odd y is tweaked unchanged")
    func imported() throws {
        for secret: UInt64 in [6, 7] {
            let point = Secp256k1.Point.generator.multipliedVariableTime(by: Scalar(secret))
            let account = try TaprootAccount(key: ExtendedPublicKey(aggregate: point), network: .regtest)
            let signer = try LoneSigner(secret: secret)
            let key = try account.key(at: AddressPath(.receive, index: 3))
            let tweaked = Secp256k1.Point.generator.multipliedVariableTime(by: signer.tweakedSecret(key.tweaks))
            #expect(tweaked.xOnly == key.outputKey)
        }
    }
}

@Suite("BIP-86 vectors")
struct BIP86VectorTests {
    @Test("keys, outputs and addresses of the standard's example")
    func example() throws {
        let file = try Vectors.json("bip86")
        let key = try ExtendedPublicKey(file["account"]["public"].string, on: .mainnet)
        let account = try TaprootAccount(key: key, network: .mainnet)
        for example in try file["addresses"].array(of: 3) {
            let path = try #require(AddressPath(try DerivationPath(example["path"].string)))
            let key = try account.key(at: path)
            #expect(key.internalKey == (try example["internal_key"].bytes))
            #expect(key.outputKey == (try example["output_key"].bytes))
            #expect(try account.address(at: path).description == example["address"].string)
        }
    }
}
