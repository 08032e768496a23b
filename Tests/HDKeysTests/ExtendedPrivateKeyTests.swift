import Curves
import Encoding
import Foundation
import Secrets
import TestSupport
import Testing

@testable import HDKeys

/// The master key of the mnemonic that most standards use.
private func zeroMaster() throws -> ExtendedPrivateKey { try ExtendedPrivateKey(seed: guarded(Vectors.zeroSeed)) }

extension ExtendedPrivateKey {
    borrowing func text(on network: Network) -> String {
        exportedText(on: network, danger: .whoeverReadsItHasEveryKeyBelow).exposedText
    }

    init(_ text: String, on network: Network) throws { try self.init(text: guarded(text), on: network) }
}

@Suite("Extended private keys")
struct ExtendedPrivateKeyTests {
    /// The error of a text, if any.
    private func fault(_ text: String, on network: Network = .mainnet) -> HDKeyError? {
        do {
            _ = try ExtendedPrivateKey(text: guarded(text), on: network)
            return nil
        } catch { return error }
    }

    @Test("BIP-32, vector 1: the key of a seed, and a hardened child of it")
    func known() throws {
        let master = try ExtendedPrivateKey(seed: guarded(hex("000102030405060708090a0b0c0d0e0f")))
        #expect(
            master.text(on: .mainnet)
                == "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi"
        )
        let child = try master.child(DerivationPath.Step(index: 0, isHardened: true))
        #expect(
            child.neutered().text(on: .mainnet)
                == "xpub68Gmy5EdvgibQVfPdqkBBCHxA5htiqg55crXYuXoQRKfDBFA1WEjWgP6LHhwBZeNK1VTsfTFUHCdrfp1bgwQ9xv5ski8PX9rL2dZXvgGDnw"
        )
        #expect(master.fingerprint == child.parentFingerprint && master.fingerprint == master.neutered().fingerprint)
    }

    @Test("a private key and its neutered one have the same children for unhardened steps")
    func agreement() throws {
        let random = SeededRandom(seed: 32)
        for index: UInt32 in [0, 1, 77, 0x7FFF_FFFF] {
            let parent = try ExtendedPrivateKey(seed: SecretBytes(count: 32, from: random))
            let step = try DerivationPath.Step(index: index, isHardened: false)
            let child = try parent.child(step)
            #expect(try parent.neutered().child(index).key == child.neutered())
            #expect(try PublicParent(parent.neutered()).child(index).key == child.neutered())
            let hardened = try parent.child(DerivationPath.Step(index: index, isHardened: true))
            #expect(hardened.neutered().chainCode != child.neutered().chainCode && hardened.point != child.point)
            let point = child.point
            #expect(child.privateKey().timesGenerator() == point)
        }
    }

    @Test("a seed has 16 to 64 bytes")
    func seeds() throws {
        for size in [0, 15, 65] {
            #expect(throws: HDKeyError.badKey) {
                _ = try ExtendedPrivateKey(seed: guarded([UInt8](repeating: 1, count: size)))
            }
        }
        for size in [16, 64] { _ = try ExtendedPrivateKey(seed: guarded([UInt8](repeating: 1, count: size))) }
    }

    @Test("an exported key is read back, on its own network only; no deeper than 255 steps")
    func texts() throws {
        let key = try zeroMaster().derive(DerivationPath("m/84'/0'/0'/1/5"))
        for network in Network.allCases {
            let text = key.text(on: network)
            #expect(text.hasPrefix(network == .mainnet ? "xprv" : "tprv") && text.utf8.count == 111)
            #expect(try ExtendedPrivateKey(text, on: network).text(on: network) == text)
            #expect(fault(text, on: network == .mainnet ? .regtest : .mainnet) == .wrongNetwork)
        }
        var bytes = try Base58Check.decode(key.text(on: .mainnet))
        bytes[4] = 255
        let deepest = try ExtendedPrivateKey(Base58Check.encode(bytes), on: .mainnet)
        #expect(throws: HDKeyError.badPath) { _ = try deepest.derive(DerivationPath("m/0")) }
        #expect(throws: HDKeyError.badPath) { try PublicParent(deepest.neutered()) }
    }

    @Test("a valid text with one wrong part is refused with the name of the error")
    func bad() throws {
        let text = try zeroMaster().text(on: .mainnet)
        let valid = try Base58Check.decode(text)
        func changed(_ change: (inout [UInt8]) -> Void) -> String {
            var bytes = valid
            change(&bytes)
            return Base58Check.encode(bytes)
        }
        let order = hex("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141")
        for text in [
            changed { $0[0] = 3 }, changed { $0[3] = 0x1E }, changed { $0[5] = 1 }, changed { $0[12] = 1 },
            changed { $0[45] = 1 }, changed { $0.replaceSubrange(46..., with: order) },
            changed { $0.replaceSubrange(46..., with: [UInt8](repeating: 0, count: 32)) },
            try zeroMaster().neutered().text(on: .mainnet),
        ] { #expect(fault(text) == .badKey) }
        #expect(fault(changed { $0.removeLast() }) == .malformed(.truncated))
        #expect(fault(changed { $0.append(0) }) == .malformed(.tooLong(limit: 78)))
        #expect(fault("1" + text) == .malformed(.notCanonical))
        #expect(fault("") == .malformed(.truncated))
        #expect(fault(text + " ") == .malformed(.badCharacter(offset: 111)))
        #expect(fault("x0" + text.dropFirst(2)) == .malformed(.badCharacter(offset: 1)))
        #expect(fault(String(text.dropLast()) + (text.last == "x" ? "y" : "x")) == .malformed(.badChecksum))
        #expect(fault(String(repeating: "z", count: 114)) == .malformed(.tooLong(limit: 78)))
        #expect(fault(String(repeating: "z", count: 200) + "0") == .malformed(.tooLong(limit: 78)))
    }

    @Test("a secret's Base58Check equals the public one's")
    func base58() throws {
        let random = SeededRandom(seed: 58)
        for size in [1, 20, 33, 78] {
            for _ in 0..<30 {
                let payload = [1 + random.publicBytes(count: 1)[0] % 255] + random.publicBytes(count: size - 1)
                let text = SecretBase58Check.encode(guarded(payload))
                #expect(text.exposedText == Base58Check.encode(payload))
                #expect(try SecretBase58Check.decode(text, size: size).exposed == payload)
            }
        }
    }

    @Test("a template is a path of its standard, and no other text is a template")
    func templates() throws {
        let template = try AccountTemplate.bitcoin(.segwit, on: .mainnet, account: 3)
        #expect(template.description == "m/84'/0'/3'" && AccountTemplate(template.path) == template)
        #expect(try template.path(to: AddressPath(.change, index: 9)).description == "m/84'/0'/3'/1/9")
        #expect(try AccountTemplate.ethereum(account: 0).description == "m/44'/60'/0'")
        #expect(try AccountTemplate.bitcoin(.taproot, on: .signet, account: 0).description == "m/86'/1'/0'")
        #expect(throws: HDKeyError.badPath) { try AccountTemplate.ethereum(account: 1 << 31) }
        #expect(throws: HDKeyError.badPath) { try AccountTemplate.bitcoin(.legacy, on: .regtest, account: .max) }
        for path in [
            "m/84/0'/0'", "m/84'/0/0'", "m/84'/0'/0", "m/45'/0'/0'", "m/84'/2'/0'", "m/84'/60'/0'", "m/84'/0'",
            "m/84'/0'/0'/0", "m",
        ] { #expect(try AccountTemplate(DerivationPath(path)) == nil) }
        let child = try zeroMaster().derive(template)
        #expect(child.depth == 3 && child.childNumber == 3 | 1 << 31)
        #expect(throws: HDKeyError.badKey) { _ = try child.derive(template) }
    }

    @Test("a key made for other scripts is named: its public form is readable in its own format")
    func otherScripts() throws {
        // SLIP-132's own example, of the account m/84'/0'/0'.
        let zpub =
            "zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs"
        let read = try ScriptPrefix.read(zpub, on: .mainnet)
        let account = try zeroMaster().derive(AccountTemplate.bitcoin(.segwit, on: .mainnet, account: 0))
        #expect(read.scripts == .segwit && read.key == account.neutered())
        #expect(throws: HDKeyError.otherScripts(.segwit)) { try ExtendedPublicKey(zpub, on: .mainnet) }
        #expect(throws: HDKeyError.wrongNetwork) { try ScriptPrefix.read(zpub, on: .testnet) }
        #expect(throws: HDKeyError.badKey) { try ScriptPrefix.read(read.key.text(on: .mainnet), on: .mainnet) }
        #expect(throws: HDKeyError.malformed(.badChecksum)) {
            try ScriptPrefix.read(zpub.dropLast() + "t", on: .mainnet)
        }
        var bytes = try Base58Check.decode(account.text(on: .mainnet))
        for (version, prefix) in [
            ("049d7878", ScriptPrefix.nestedSegwit), ("04b2430c", .segwit), ("0295b005", .nestedMultisig),
            ("02aa7a99", .multisig), ("044a4e28", .nestedSegwit), ("045f18bc", .segwit), ("024285b5", .nestedMultisig),
            ("02575048", .multisig),
        ] {
            bytes.replaceSubrange(..<4, with: hex(version))
            #expect(fault(Base58Check.encode(bytes)) == .otherScripts(prefix))
            #expect(throws: HDKeyError.badKey) { try ScriptPrefix.read(Base58Check.encode(bytes), on: .mainnet) }
        }
    }
}

@Suite("BIP-32, BIP-49 and SLIP-10 vectors: private keys")
struct PrivateKeyVectorTests {
    @Test("BIP-32: every key of vectors 1 to 4 is derived from its seed")
    func derivation() throws {
        var count = 0
        for chain in try Vectors.json("bip32")["chains"].array(of: 4) {
            let master = try ExtendedPrivateKey(seed: guarded(try chain["seed"].bytes))
            for test in try chain["keys"].array {
                let key = try master.derive(DerivationPath(test["path"].string))
                let text = try test["private"].string
                #expect(key.neutered().text(on: .mainnet) == (try test["public"].string))
                #expect(key.text(on: .mainnet) == text)
                #expect(try ExtendedPrivateKey(text, on: .mainnet).text(on: .mainnet) == text)
                count += 1
            }
        }
        #expect(count == 6 + 6 + 2 + 3)
    }

    @Test("BIP-32, vector 5: every key is refused, private ones too")
    func invalid() throws {
        for key in try Vectors.json("bip32")["invalid"].array(of: 16) {
            let text = try key.string
            #expect(throws: HDKeyError.self) { _ = try ExtendedPrivateKey(text, on: .mainnet) }
        }
    }

    @Test("BIP-49: the key of its first address; its own prefix is accepted")
    func bip49() throws {
        let file = try Vectors.json("bip49")
        let account = try zeroMaster().derive(AccountTemplate.bitcoin(.nestedSegwit, on: .testnet, account: 0))
        let read = try ScriptPrefix.read(try file["account"].string, on: .testnet)
        #expect(read.key == account.neutered() && read.scripts == .nestedSegwit)
        let key = try account.derive(DerivationPath("m/0/0")).privateKey().encoded().exposed
        #expect(try file["first_private_key"].bytes == key)
    }

    @Test("SLIP-10: every key of secp256k1, which is BIP-32's")
    func slip10() throws {
        var count = 0
        for vector in try Vectors.json("slip10").array(of: 2) {
            let seed = try vector["seed"].bytes
            for key in try vector["keys"].array {
                count += 1
                let derived = try ExtendedPrivateKey(seed: guarded(seed)).derive(DerivationPath(key["path"].string))
                #expect(derived.parentFingerprint.description == (try key["fingerprint"].string))
                #expect(derived.neutered().chainCode == (try key["chain_code"].bytes))
                #expect(derived.point.encoded == (try key["public"].bytes))
                #expect(derived.privateKey().encoded().exposed == (try key["private"].bytes))
            }
        }
        #expect(count == 12)
    }
}
