internal import Bitcoin
internal import Curves
internal import DisplayText
internal import Encoding
internal import Secrets

@testable internal import Ethereum
@testable internal import HDKeys
@testable internal import Mnemonics

extension FuzzEntry {
    /// Points, signatures, mnemonics, extended keys, and their names.
    static let keys: [FuzzEntry] = [
        FuzzEntry(
            "point-secp256k1",
            seeds: [
                Secp256k1.Point.generator.encoded, (-Secp256k1.Point.generator).encoded,
                Secp256k1.Point.generator.multipliedVariableTime(by: Scalar(7)).encoded,
            ]
        ) { try Secp256k1.Point(encoded: $0).encoded },
        FuzzEntry(
            "point-ed25519",
            seeds: [
                Ed25519.Point.generator.encoded, (-Ed25519.Point.generator).encoded,
                Ed25519.Point.generator.multipliedVariableTime(by: Scalar(7)).encoded,
            ]
        ) { try Ed25519.Point(encoded: $0).encoded },
        FuzzEntry("ecdsa-signature", seeds: [try signature().compact]) { try ECDSASignature(compact: $0).compact },
        FuzzEntry("ecdsa-signature-der", seeds: [try signature().der]) { try ECDSASignature(der: $0).der },
        // Words may be in capitals and far apart: the decoded value has to encode and decode to itself.
        FuzzEntry(
            "mnemonic",
            seeds: [Mnemonic.WordCount.twelve, .twentyFour].map { exposed(Mnemonic($0, from: SeedRandom(1)).words()) }
        ) { input in
            let mnemonic = try Mnemonic(words: secret(input))
            guard let again = try? Mnemonic(words: mnemonic.words()) else {
                preconditionFailure("the words that it writes are refused")
            }
            precondition(again.entropy().matches(mnemonic.entropy()), "written differently")
            return input
        },
        FuzzEntry("mnemonic-passphrase", texts: ["㍍ガバヴァ", "e\u{301}\u{327}ﷺ각", "plain"]) { text in
            let passphrase = secret(Array(text.utf8))
            guard let once = NFKD.of(passphrase) else { return nil }
            precondition(NFKD.of(once)?.matches(once) == true, "decomposed text is decomposed again")
            _ = try SilentMnemonic.known.seed(passphrase: passphrase)
            return text
        },
        FuzzEntry(
            "descriptor",
            texts: try [SeedPayment().taproot.descriptor.text, SeedPayment().segwit.descriptor.text]
        ) { try OutputDescriptor($0, on: .regtest).text },
        FuzzEntry("extended-key", texts: [try SeedPayment().taproot.key.text(on: .mainnet)]) {
            try ExtendedPublicKey($0, on: .mainnet).text(on: .mainnet)
        },
        // The bytes that the checksum of an extended key's text covers.
        FuzzEntry(
            "extended-key-bytes",
            seeds: [try Base58Check.decode(SeedPayment().taproot.key.text(on: .mainnet))]
        ) { input in
            let (key, version) = try ExtendedPublicKey.parse(input)
            let network: Network = version == Network.mainnet.extendedKeyVersion ? .mainnet : .signet
            return try Base58Check.decode(key.text(on: network))
        },
        FuzzEntry("script-prefix", texts: [try prefixed()]) { text in
            _ = try ScriptPrefix.read(text, on: .mainnet)
            return text
        },
        FuzzEntry("extended-private-key", seeds: [try privateKey()]) {
            exposed(try ExtendedPrivateKey(text: secret($0), on: .mainnet).exportedText(on: .mainnet, danger: danger))
        },
        // The bytes that the checksum of an extended private key's text covers.
        FuzzEntry(
            "extended-private-key-bytes",
            seeds: [try Base58Check.decode(String(decoding: privateKey(), as: UTF8.self))]
        ) { input in
            guard input.count <= EncodingLimits.base58CheckBytes else { return nil }
            let text = secret(Array(Base58Check.encode(input).utf8))
            let again = exposed(
                try ExtendedPrivateKey(text: text, on: .mainnet).exportedText(on: .mainnet, danger: danger))
            return try Base58Check.decode(String(decoding: again, as: UTF8.self))
        },
        FuzzEntry("secret-base58check", seeds: [try privateKey()]) {
            exposed(SecretBase58Check.encode(try SecretBase58Check.decode(secret($0), size: 78)))
        },
        FuzzEntry("path", texts: ["m", "m/86'/0'/0'/1/2147483647", "m/0h/5"]) { text in
            let path = try DerivationPath(text)
            return try DerivationPath(path.description) == path ? text : ""
        },
    ]

    private static func signature() throws -> ECDSASignature {
        try ECDSASignature.sign(message: [UInt8](repeating: 3, count: 32), key: SecretScalar(Scalar(7)))
    }

    private static let danger = ExtendedPrivateKey.Danger.whoeverReadsItHasEveryKeyBelow

    private static func privateKey() throws -> [UInt8] {
        let key = try ExtendedPrivateKey(seed: secret([UInt8](repeating: 9, count: 32))).derive(
            DerivationPath("m/1'/2"))
        return exposed(key.exportedText(on: .mainnet, danger: danger))
    }

    /// Returns an extended public key with the prefix `zpub`.
    private static func prefixed() throws -> String {
        let bytes = try Base58Check.decode(SeedPayment().segwit.key.text(on: .mainnet))
        return Base58Check.encode([0x04, 0xb2, 0x47, 0x46] + bytes.dropFirst(4))
    }
}

/// A mnemonic of 128 zero bits, with varying passphrases.
private final class SilentMnemonic: Sendable {
    static let known: SilentMnemonic = {
        guard let mnemonic = try? Mnemonic(entropy: secret([UInt8](repeating: 0, count: 16))) else {
            preconditionFailure("16 bytes are an entropy")
        }
        return SilentMnemonic(mnemonic)
    }()

    private let mnemonic: Mnemonic

    private init(_ mnemonic: consuming Mnemonic) { self.mnemonic = mnemonic }

    func seed(passphrase: borrowing SecretBytes) throws -> SecretBytes { try mnemonic.seed(passphrase: passphrase) }
}
