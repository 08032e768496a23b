import Curves
import Encoding
import Foundation
import Secrets
import TestSupport
import Testing

@testable import Wallet

@Suite("Derivation paths")
struct DerivationPathTests {
    @Test("paths are printed as they are read", arguments: ["m", "m/0", "m/0/5", "m/86'/0'/0'/1/2147483647"])
    func roundTrip(_ text: String) throws {
        #expect(try DerivationPath(text).description == text)
    }

    @Test("h means the same as an apostrophe")
    func hardened() throws {
        #expect(try DerivationPath("m/86h/0h") == DerivationPath("m/86'/0'"))
    }

    @Test(
        "text that is no path is refused",
        arguments: [
            "", "0", "/0", "M/0", "m/", "m//0", "m/0/", "m/-1", "m/+1", "m/ 0", "m/0 ", "m/01", "m/00", "m/2147483648",
            "m/4294967296", "m/99999999999", "m/0''", "m/'", "m/h", "m/0H", "m/0x1", "m/٣", "m/0h'",
            "m" + String(repeating: "/0", count: 33),
        ])
    func bad(_ text: String) {
        #expect(throws: WalletError.badPath) { try DerivationPath(text) }
    }

    @Test("a hardened path cannot be gone with a public key")
    func unhardened() throws {
        #expect(throws: WalletError.badPath) { try DerivationPath("m/0/1'").unhardened() }
        #expect(try DerivationPath("m/0/1").unhardened().indices == [0, 1])
        #expect(throws: WalletError.badPath) { try UnhardenedPath([1 << 31]) }
        #expect(throws: WalletError.badPath) { try AddressPath(.receive, index: 1 << 31) }
    }

    @Test("only two unhardened steps, the first 0 or 1, lead to an address")
    func addressPath() throws {
        #expect(AddressPath(try DerivationPath("m/1/7"))?.description == "m/1/7")
        for text in ["m", "m/0", "m/2/0", "m/0/0/0", "m/0'/0", "m/0/0'"] {
            #expect(AddressPath(try DerivationPath(text)) == nil, "\(text)")
        }
    }
}

@Suite("Extended public keys")
struct ExtendedPublicKeyTests {
    @Test("an extended key is printed for its network, and read only there")
    func networks() throws {
        let parent = ExtendedPublicKey(group: .generator)
        let child = try parent.derive(UnhardenedPath([0]))
        let added = parent.point + Secp256k1.Point.generator.multipliedVariableTime(by: child.tweaks[0])
        #expect(child.key.point == added)
        #expect(child.key.parentFingerprint == parent.fingerprint)
        #expect(try parent.derive(UnhardenedPath([0, 7])).key == child.key.child(7).key)
        #expect(parent.text(on: .mainnet).hasPrefix("xpub") && parent.text(on: .testnet).hasPrefix("tpub"))
        #expect(throws: WalletError.wrongNetwork) { try ExtendedPublicKey(parent.text(on: .mainnet), on: .signet) }
        #expect(throws: WalletError.wrongNetwork) { try ExtendedPublicKey(parent.text(on: .signet), on: .mainnet) }
        #expect(try ExtendedPublicKey(parent.text(on: .signet), on: .regtest) == parent)
    }

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

    @Test("BIP-328: a group key is an extended key without parent and with the standard's chain code")
    func aggregate() throws {
        let key = ExtendedPublicKey(group: .generator)
        #expect(key.chainCode == hex("868087ca02a6f974c4598924c36b57762d32cb45717167e300622c7167e38965"))
        #expect(key.depth == 0 && key.childNumber == 0 && key.parentFingerprint.bytes == [0, 0, 0, 0])
        #expect(try ExtendedPublicKey(key.text(on: .mainnet), on: .mainnet) == key)
    }

    @Test("a hardened step is refused, and one below depth 255")
    func limits() throws {
        let key = ExtendedPublicKey(group: .generator)
        #expect(throws: WalletError.badPath) { try key.child(1 << 31) }
        var deep = try Base58Check.decode(key.derive(UnhardenedPath([0])).key.text(on: .mainnet))
        deep[4] = 255
        let deepest = try ExtendedPublicKey(Base58Check.encode(deep), on: .mainnet)
        #expect(throws: WalletError.badPath) { try deepest.derive(UnhardenedPath([0])) }
    }

    @Test("a valid key with one part wrong is refused")
    func bad() throws {
        let valid = try Base58Check.decode(ExtendedPublicKey(group: .generator).text(on: .mainnet))
        func changed(_ change: (inout [UInt8]) -> Void) -> String {
            var bytes = valid
            change(&bytes)
            return Base58Check.encode(bytes)
        }
        for text in [
            changed { $0[0] = 5 }, changed { $0[3] = 0xE4 }, changed { $0[5] = 1 }, changed { $0[12] = 1 },
            changed { $0[45] = 4 }, changed { $0[45] = 0 },
            changed { $0.replaceSubrange(46..., with: [UInt8](repeating: 0xFF, count: 32)) },
        ] { #expect(throws: WalletError.badKey) { try ExtendedPublicKey(text, on: .mainnet) } }
        #expect(throws: WalletError.malformed(.truncated)) {
            try ExtendedPublicKey(changed { $0.removeFirst(75) }, on: .mainnet)
        }
        #expect(throws: WalletError.self) { try ExtendedPublicKey(changed { $0.removeLast() }, on: .mainnet) }
        #expect(throws: WalletError.self) { try ExtendedPublicKey(changed { $0.append(0) }, on: .mainnet) }
        #expect(throws: WalletError.self) { try ExtendedPublicKey("", on: .mainnet) }
    }

    @Test("tweaks lead from the group's secret key, even or odd, to the one of the address")
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
            // Directly: the even one of the group's points, then what BIP-32 and BIP-341 add.
            let even = try Secp256k1.Point(xOnly: group.xOnly)
            let child = key.tweaks.prefix(2).reduce(even) {
                $0 + Secp256k1.Point.generator.multipliedVariableTime(by: $1.scalar)
            }
            #expect(child.xOnly == key.internalKey, "seed \(random.seed)")
            #expect(try TaprootOutput(internalKey: child).outputKey == key.outputKey, "seed \(random.seed)")
            // As signers do it: on the group's secret key as it is.
            let point = Secp256k1.Point.generator.multipliedVariableTime(by: signer.tweakedSecret(key.tweaks))
            #expect(point.xOnly == key.outputKey, "seed \(random.seed)")
        }
        #expect(parities.count == 2)
    }

    @Test("an imported key with odd y is tweaked as it is")
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

@Suite("BIP-86 vectors", .withVectors)
struct BIP86VectorTests {
    @Test("keys, outputs and addresses of the standard's example")
    func example() throws {
        let text = try Vectors.text("bip-text/bip-0086.mediawiki")
        let xpub = try #require(text.firstMatch(of: /\nxpub = (xpub[0-9A-Za-z]+)/))
        let account = try TaprootAccount(key: ExtendedPublicKey(String(xpub.1), on: .mainnet), network: .mainnet)
        let examples = text.matches(
            of:
                #/m/86'/0'/0'(/[01]/[0-9]+)\n[^/]*?internal_key = (\w{64})\noutput_key   = (\w{64})\n[^/]*?address      = (bc1p\w+)/#
        )
        #expect(examples.count == 3)
        for example in examples {
            let path = try #require(AddressPath(try DerivationPath("m" + String(example.1))))
            let key = try account.key(at: path)
            #expect(key.internalKey == hex(String(example.2)))
            #expect(key.outputKey == hex(String(example.3)))
            #expect(try account.address(at: path).description == example.4)
        }
    }
}

@Suite("BIP-32 vectors", .withVectors)
struct BIP32VectorTests {
    private static func section(_ start: String, _ end: String) throws -> Substring {
        let text = try Vectors.text("bip-text/bip-0032.mediawiki")
        let from = try #require(text.range(of: start))
        return text[
            from.upperBound..<(try #require(text.range(of: end, range: from.upperBound..<text.endIndex)).lowerBound)]
    }

    @Test("every unhardened step of vectors 1 to 4 is derived from its parent's public key")
    func steps() throws {
        var count = 0
        for number in 1...4 {
            let section = try Self.section("===Test vector \(number)===", "===Test vector \(number + 1)===")
            let chains = section.matches(of: /Chain (m[^\n]*)\n\*\* ext pub: (xpub[0-9A-Za-z]+)/)
            for (parent, child) in zip(chains, chains.dropFirst())
            where child.1.last?.isNumber == true && !child.1.hasSuffix("</sub>") {
                let index = try #require(UInt32(child.1.split(separator: "/").last ?? ""))
                let key = try ExtendedPublicKey(String(parent.2), on: .mainnet)
                #expect(try key.child(index).key.text(on: .mainnet) == child.2)
                count += 1
            }
            for chain in chains {
                #expect(try ExtendedPublicKey(String(chain.2), on: .mainnet).text(on: .mainnet) == chain.2)
            }
        }
        #expect(count > 0)
    }

    @Test("every key of vector 5 is refused")
    func invalid() throws {
        let keys = try Self.section("===Test vector 5===", "==Acknowledgements==").matches(
            of: #/\n\* ([0-9A-Za-z]{100,}) /#)
        #expect(keys.count == 16)
        for key in keys { #expect(throws: WalletError.self) { try ExtendedPublicKey(String(key.1), on: .mainnet) } }
    }
}
