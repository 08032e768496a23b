import Curves
import Encoding
import Foundation
import Secrets
import TestSupport
import Testing

@testable import HDKeys

@Suite("Extended public keys")
struct ExtendedPublicKeyTests {
    @Test("an extended key is printed for its network, and accepted only there")
    func networks() throws {
        let parent = ExtendedPublicKey(group: .generator)
        let child = try parent.child(0)
        let added = parent.point + Secp256k1.Point.generator.multipliedVariableTime(by: child.tweak)
        #expect(child.key.point == added)
        #expect(child.key.parentFingerprint == parent.fingerprint)
        #expect(parent.text(on: .mainnet).hasPrefix("xpub") && parent.text(on: .testnet).hasPrefix("tpub"))
        #expect(throws: HDKeyError.wrongNetwork) { try ExtendedPublicKey(parent.text(on: .mainnet), on: .signet) }
        #expect(throws: HDKeyError.wrongNetwork) { try ExtendedPublicKey(parent.text(on: .signet), on: .mainnet) }
        #expect(try ExtendedPublicKey(parent.text(on: .signet), on: .regtest) == parent)
    }

    @Test("BIP-328: a group key is an extended key without parent and with the standard's chain code")
    func aggregate() throws {
        let key = ExtendedPublicKey(group: .generator)
        #expect(key.chainCode == hex("868087ca02a6f974c4598924c36b57762d32cb45717167e300622c7167e38965"))
        #expect(key.depth == 0 && key.childNumber == 0 && key.parentFingerprint.bytes == [0, 0, 0, 0])
        #expect(try ExtendedPublicKey(key.text(on: .mainnet), on: .mainnet) == key)
    }

    @Test("a hardened step is refused, and so is one below depth 255")
    func limits() throws {
        let key = ExtendedPublicKey(group: .generator)
        #expect(throws: HDKeyError.badPath) { try key.child(1 << 31) }
        var deep = try Base58Check.decode(key.child(0).key.text(on: .mainnet))
        deep[4] = 255
        let deepest = try ExtendedPublicKey(Base58Check.encode(deep), on: .mainnet)
        #expect(throws: HDKeyError.badPath) { try deepest.child(0) }
    }

    @Test("a valid key with one wrong part is refused")
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
        ] { #expect(throws: HDKeyError.badKey) { try ExtendedPublicKey(text, on: .mainnet) } }
        #expect(throws: HDKeyError.malformed(.truncated)) {
            try ExtendedPublicKey(changed { $0.removeFirst(75) }, on: .mainnet)
        }
        #expect(throws: HDKeyError.self) { try ExtendedPublicKey(changed { $0.removeLast() }, on: .mainnet) }
        #expect(throws: HDKeyError.self) { try ExtendedPublicKey(changed { $0.append(0) }, on: .mainnet) }
        #expect(throws: HDKeyError.self) { try ExtendedPublicKey("", on: .mainnet) }
    }

    @Test("fingerprints have one text")
    func fingerprints() {
        let master = KeyFingerprint(fourBytes: [0x73, 0xC5, 0xDA, 0x0A])
        #expect(KeyFingerprint("73c5da0a") == master && master.description == "73c5da0a")
        for text in ["", "73c5da", "73c5da0", "73c5da0a00", "73c5da0g", "0x73c5da0a"] {
            #expect(KeyFingerprint(text) == nil, "\(text)")
        }
    }
}

@Suite("BIP-32 vectors")
struct BIP32VectorTests {
    @Test("every unhardened step of vectors 1 to 4 is derived from its parent's public key")
    func steps() throws {
        var count = 0
        for chain in try Vectors.json("bip32")["chains"].array(of: 4) {
            let keys = try chain["keys"].array
            for (parent, child) in zip(keys, keys.dropFirst()) {
                // A hardened step ends with an apostrophe.
                guard let index = UInt32(try child["path"].string.split(separator: "/").last ?? "") else { continue }
                let key = try ExtendedPublicKey(parent["public"].string, on: .mainnet)
                #expect(try key.child(index).key.text(on: .mainnet) == child["public"].string)
                count += 1
            }
            for key in keys {
                let text = try key["public"].string
                #expect(try ExtendedPublicKey(text, on: .mainnet).text(on: .mainnet) == text)
            }
        }
        #expect(count == 6)
    }

    @Test("every key of vector 5 is refused")
    func invalid() throws {
        for key in try Vectors.json("bip32")["invalid"].array(of: 16) {
            let text = try key.string
            #expect(throws: HDKeyError.self) { try ExtendedPublicKey(text, on: .mainnet) }
        }
    }
}
