internal import Curves
internal import Secrets
internal import SecureStorage
internal import Synchronization
internal import Threshold

/// The operations to measure.
enum Operations {
    /// The reference operation: one BIP-340 signature by one key with libsecp256k1, in constant time.
    static let reference = "libsecp256k1_schnorr_sign"

    static func all(in folder: String) -> [Measurement] {
        let key = SingleKey()
        let bitcoin = Lazy { try TwoOfThree<Sharing.BIP340>() }
        let edwards = Lazy { try TwoOfThree<Sharing.Ed25519>() }
        let two = Lazy { try ECDSAGroup(threshold: 2, total: 3) }
        let three = Lazy { try ECDSAGroup(threshold: 3, total: 5) }
        let words = Lazy { try MnemonicWallet() }
        let ethereum = Lazy { try EthereumBench() }
        let texts = Lazy { try RedactionBench() }
        let vault = BenchVaultSource(folder: folder)
        return [
            Measurement(name: reference) { _ in try key.sign() },
            Measurement(name: "frost_bip340_sign_2of3") { try bitcoin.value().sign(round: $0) },
            Measurement(name: "frost_ed25519_sign_2of3") { try edwards.value().sign(round: $0) },
            Measurement(name: "dkg_bip340_2of3") { _ in _ = try TwoOfThree<Sharing.BIP340>() },
            Measurement(name: "dkg_ed25519_2of3") { _ in _ = try TwoOfThree<Sharing.Ed25519>() },
            Measurement(name: "libsecp256k1_ecdsa_sign") { _ in try key.signECDSA() },
            Measurement(
                name: "ecdsa_sign_2of3_per_signer", run: { _ in try two.value().sign() }, every: 3, parties: 2,
                sent: { try two.value().sentBytes }),
            Measurement(
                name: "ecdsa_sign_3of5_per_signer", run: { _ in try three.value().sign() }, every: 10, parties: 3,
                sent: { try three.value().sentBytes }),
            // The work after the message is known: all signers' partial signatures, their combination and verification.
            Measurement(
                name: "ecdsa_sign_2of3_prepared", prepare: { try two.value().prepare() },
                run: { _ in try two.value().signPrepared() }, every: 10),
            Measurement(
                name: "ecdsa_dkg_2of3_per_party", run: { _ in _ = try ECDSAGroup(threshold: 2, total: 3) }, every: 30,
                parties: 3),
            Measurement(name: "sha512_4096_blocks", run: { _ in MnemonicWallet.hashBlocks() }, every: 3),
            Measurement(name: "bip39_seed", run: { _ in try words.value().seed() }, every: 3),
            Measurement(name: "bip32_cached_child") { try words.value().child(round: $0) },
            Measurement(name: "keccak256_1mib") { _ in try ethereum.value().hash() },
            Measurement(name: "ethereum_transfer_sign") { try ethereum.value().sign(round: $0) },
            Measurement(name: "ethereum_decode_10000", run: { _ in try ethereum.value().decode() }, every: 100),
            Measurement(name: "sha256_1mib") { _ in try texts.value().hash() },
            Measurement(name: "redact_1mib_log", run: { _ in try texts.value().redact() }, every: 3),
            Measurement(name: "vault_read") { _ in try await vault.value().read() },
            Measurement(name: "vault_write") { try await vault.value().write(round: $0) },
            // Slow by design: an attacker pays this cost for each guess of the passphrase.
            Measurement(name: "vault_unlock", run: { _ in try await vault.value().unlock() }, every: 50),
        ]
    }
}

/// A value that is created at its first use, so that operations that are not selected cost nothing.
private final class Lazy<Value: Sendable>: Sendable {
    private let make: @Sendable () throws -> Value
    private let made = Mutex<Value?>(nil)

    init(_ make: @escaping @Sendable () throws -> Value) {
        self.make = make
    }

    func value() throws -> Value {
        try made.withLock { made in
            let value = try made ?? make()
            made = value
            return value
        }
    }
}

/// A single key without a threshold. Its signature is the reference for all other operations.
private final class SingleKey: Sendable {
    private let key = SecretScalar<Secp256k1>(from: SystemRandom())
    private let message = SystemRandom().publicBytes(count: 32)
    private let auxiliary = SystemRandom().publicBytes(count: 32)

    func signECDSA() throws { _ = try ECDSASignature.sign(message: message, key: key) }

    func sign() throws { _ = try BIP340.sign(message: message, key: key, auxiliary: auxiliary) }
}

/// The source of the vault, which is created at its first use.
private actor BenchVaultSource {
    private let folder: String
    private var vault: BenchVault?

    init(folder: String) {
        self.folder = folder
    }

    func value() async throws -> BenchVault {
        if let vault { return vault }
        let made = try await BenchVault(in: folder)
        vault = made
        return made
    }
}

/// A vault for the benchmarks, with one item of a key's size.
private struct BenchVault {
    private let path: String
    private let passphrase: OpenPassphrase
    private let vault: VaultFile
    private let name: ItemName

    /// A random passphrase that stays in memory: the vault contains no real secret.
    private final class OpenPassphrase: Sendable {
        let bytes = SecretBytes(count: 16, from: SystemRandom())
    }

    init(in folder: String) async throws {
        path = "\(folder)/bench.vault"
        passphrase = OpenPassphrase()
        name = try ItemName(service: "bench", account: "item")
        vault = try VaultFile.create(
            at: path, passphrase: passphrase.bytes, freshness: .unchecked, random: SystemRandom())
        try await vault.save(SecretBytes(count: 256, from: SystemRandom()), as: name, attributes: .critical(.keyShare))
    }

    func read() async throws {
        guard try await vault.load(name)?.count == 256 else { throw SecureStorageError.notFound }
    }

    func write(round: Int) async throws {
        try await vault.save(SecretBytes(count: 256, from: SystemRandom()), as: name, attributes: .critical(.keyShare))
    }

    func unlock() async throws {
        let opened = try VaultFile.openReadOnly(at: path, passphrase: passphrase.bytes, freshness: .unchecked)
        await opened.close()
    }
}
