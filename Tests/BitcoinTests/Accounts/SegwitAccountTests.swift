import Curves
import Encoding
import Secrets
import TestSupport
import Testing

@testable import Bitcoin
@testable import HDKeys

@Suite("SegWit accounts")
struct SegwitAccountTests {
    /// Derived by embit from the group's point and BIP-328's chain code. 7·G and 6·G: even, and odd.
    @Test(
        "a group key of either parity has the keys and addresses that embit derives from its point",
        arguments: [
            (
                UInt64(7), "5dedfbf9",
                "tpubD6NzVbkrYhZ4XgHkCEtfpuZPJDLaLPxu5ZBEtAbub9GcUX1mTS2t3eCnBXS9KN1Xc3hqaxgX2sqN2RiWRnJVCkUXW1T7S5UKBuXzc74pu23",
                [
                    "0352358a8e3f66dbaca6a652f628316757044ae3dab47c75ba6a6b014b79e7600c",
                    "03f0e767856b72550f2b4f2967141c7b1eae21666bccd3ba75b3bbdaba9ad3016d",
                    "03bdbfc5e6ba23481dacacd77c9cbf05ca411a69df5fc56138a167e6d965c5d5bd",
                ],
                [
                    "bcrt1q4gmatzv9rly8e62uxav82tzwfywkhc8qcets85", "bcrt1qpp58pnzmr5l7dj6mfmngmk34h8ykwgelyz4wkf",
                    "bcrt1q446vk79g4updjcyzxpg6fd6fn70m3w09vxp6r4",
                ]
            ),
            (
                UInt64(6), "7fda9cf0",
                "tpubD6NzVbkrYhZ4XgHkCEtfpuZPJDLaLPxu5ZBEtAbub9GcUX1mTS2t3eCnBacn3wD5YDBqMauUVGnGQQWgg5JQvsqbq8CXY9RYsYAvmLUDKhy",
                [
                    "0380783b167fb5fd6150d0c6db3f56495b936a92bb0a3e595290d357bd7405feaf",
                    "036244c2df32207071f105fdf3a4075a2af582c0e8d63ed9b89480ed9c4629881d",
                    "02e239c90db993885a1c6816c2b5c30405ee207e260baa4ad7b46a37d79c11ac99",
                ],
                [
                    "bcrt1qtlu0rqc8h44jaf9yr9drdrk97tmhke8926qwje", "bcrt1qjurhdx4crmcgz4m9zskufynff2lgklw2y8qqqw",
                    "bcrt1qp2nkdz063zdfxgp6eze5wtnt9vvrk4kvefz7tj",
                ]
            ),
        ])
    func known(
        _ secret: UInt64, _ fingerprint: String, _ text: String, _ keys: [String], _ addresses: [String]
    ) throws {
        let group = Secp256k1.Point.generator.multipliedVariableTime(by: Scalar(secret))
        let account = try SegwitAccount(groupKey: group, network: .regtest)
        #expect(account.key.fingerprint.description == fingerprint)
        #expect(account.key.text(on: .regtest) == text)
        #expect(account.key.point == group)
        let paths = [
            try AddressPath(.receive, index: 0), try AddressPath(.change, index: 5),
            try AddressPath(.receive, index: 0x7FFF_FFFF),
        ]
        #expect(try paths.map { hex(try account.key(at: $0).publicKey.encoded) } == keys)
        #expect(try paths.map { try account.address(at: $0).description } == addresses)
        #expect(try SegwitAccount(key: ExtendedPublicKey(text, on: .regtest), network: .regtest) == account)
        // The point with the other y is a different key here.
        #expect(
            try SegwitAccount(groupKey: -group, network: .regtest).address(at: paths[0]).description != addresses[0])
    }

    @Test("the tweak leads from the group key to the address key")
    func tweaks() throws {
        let random = SeededRandom(seed: 5)
        for _ in 0..<30 {
            let group = Secp256k1.Point.generator.multipliedVariableTime(
                by: Scalar(reducing: random.publicBytes(count: 32)))
            let account = try SegwitAccount(groupKey: group, network: .regtest)
            let path = try AddressPath(random.below(2) == 0 ? .receive : .change, index: UInt32(random.below(1 << 31)))
            let key = try account.key(at: path)
            #expect(
                group + Secp256k1.Point.generator.multipliedVariableTime(by: key.tweak) == key.publicKey,
                "seed \(random.seed)")
            #expect(key.scriptPubKey.bytes == [0, 20] + Hash160.hash(key.publicKey.encoded))
            #expect(key.path == path)
        }
    }

    @Test("the accounts of a wallet are on one network")
    func networks() throws {
        let taproot = try TaprootAccount(groupKey: .generator, network: .regtest)
        let segwit = try SegwitAccount(groupKey: .generator, network: .signet)
        #expect(throws: HDKeyError.wrongNetwork) { try BitcoinAccounts(taproot: taproot, segwit: segwit) }
    }
}

@Suite("BIP-84 vectors")
struct BIP84VectorTests {
    @Test("keys and addresses of the standard's example")
    func example() throws {
        let file = try Vectors.json("bip84")
        // SLIP-132 encodes the kind of address in the version; the wallet uses the descriptor for it.
        let key = try Base58Check.decode(file["account"]["public"].string, limit: 78)
        let xpub = Base58Check.encode([0x04, 0x88, 0xB2, 0x1E] + key.dropFirst(4))
        let account = try SegwitAccount(key: ExtendedPublicKey(xpub, on: .mainnet), network: .mainnet)
        for example in try file["addresses"].array(of: 3) {
            let path = try #require(AddressPath(try DerivationPath(example["path"].string)))
            #expect(try account.key(at: path).publicKey.encoded == example["public_key"].bytes)
            #expect(try account.address(at: path).description == example["address"].string)
        }
    }
}
