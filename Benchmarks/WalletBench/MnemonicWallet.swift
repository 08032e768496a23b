internal import Curves
internal import HDKeys
internal import Mnemonics
internal import Secrets

/// The mnemonic benchmarks: the seed, and the derivation of one address key.
final class MnemonicWallet: Sendable {
    private let mnemonic = Mnemonic(.twentyFour, from: SystemRandom())
    private let passphrase = SecretBytes(count: 0) { _ in }
    private let parent: PublicParent

    init() throws {
        let master = try ExtendedPrivateKey(seed: try mnemonic.seed(passphrase: passphrase))
        let account = try master.derive(AccountTemplate.bitcoin(.segwit, on: .mainnet, account: 0))
        parent = try PublicParent(account.derive(DerivationPath("m/0")).neutered())
    }

    func seed() throws { _ = try mnemonic.seed(passphrase: passphrase) }

    func child(round: Int) throws { _ = try parent.child(UInt32(truncatingIfNeeded: round) & 0x7FFF_FFFF) }

    /// The SHA-512 blocks that a seed needs: 2,048 rounds with two compressions each, without the HMAC code around
    /// them.
    static let blocks = [UInt8](repeating: 0x5A, count: 4_096 * 128)

    static func hashBlocks() { _ = SHA512.hash(blocks) }
}
