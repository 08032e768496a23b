internal import Crypto
internal import SecretStoreTestSupport
internal import Secrets
internal import SecureStorage

extension Stretcher {
    /// A free derivation. The real one does not open its vaults, although the costs in the file are the real ones.
    static let cheapForTesting = Stretcher { passphrase, stretching, salt throws(SecureStorageError) in
        let digest = passphrase.withUnsafeBytes { passphrase in
            SHA256.hash(data: Array(passphrase) + Array("\(stretching)".utf8) + salt)
        }
        return SecretBytes(count: 32) { memory in digest.withUnsafeBytes { memory.copyMemory(from: $0) } }
    }
}

extension VaultFile {
    static func createCheaply(
        at path: String, passphrase: String = "correct horse", freshness: Freshness = .unchecked,
        random: some RandomSource = SystemRandom()
    ) throws(SecureStorageError) -> VaultFile {
        try create(
            at: path, passphrase: secret(passphrase), freshness: freshness, random: random,
            stretcher: .cheapForTesting)
    }

    static func openCheaply(
        at path: String, passphrase: String = "correct horse", freshness: Freshness = .unchecked
    ) throws(SecureStorageError) -> VaultFile {
        try open(
            at: path, passphrase: secret(passphrase), freshness: freshness, random: SystemRandom(),
            stretcher: .cheapForTesting)
    }

    static func readCheaply(
        at path: String, passphrase: String = "correct horse", freshness: Freshness = .unchecked
    ) throws(SecureStorageError) -> VaultFile {
        try openReadOnly(
            at: path, passphrase: secret(passphrase), freshness: freshness, stretcher: .cheapForTesting)
    }
}
