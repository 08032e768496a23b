internal import Curves
public import HDKeys
public import Secrets
internal import Wallet

/// The private keys of a mnemonic's account, on their way to be dealt into shares. They are wiped when they were dealt.
///
/// - Warning: whoever has the words has them too, for good. A sweep to a wallet whose key never was whole is better.
public struct ImportedPrivateKeys: ~Copyable, Sendable {
    /// The chain whose account it is.
    public enum Chain: Sendable {
        /// The accounts of BIP-86 and BIP-84 with one number.
        case bitcoin
        /// The account of BIP-44.
        case ethereum
    }

    /// What is public of them.
    public let imported: ImportedPublicKeys
    /// Nothing on Ethereum: the wallet gets a Schnorr key of its own.
    let schnorr: SecretScalar<Secp256k1>?
    let ecdsa: SecretScalar<Secp256k1>

    /// Derives the private keys of the accounts of a seed (BIP-32).
    ///
    /// - Parameters:
    ///   - seed: `Mnemonic.seed(passphrase:)`.
    ///   - account: its number, 0..<2³¹.
    ///   - network: of Bitcoin, which has a part in the path.
    /// - Throws: `HDKeyError.badPath` for an account from 2³¹ on; `HDKeyError.badKey`, which is less likely than 2⁻¹²⁰.
    public init(
        seed: borrowing SecretBytes, for chain: Chain, account: UInt32, on network: Network
    ) throws(HDKeyError) {
        let master = try ExtendedPrivateKey(seed: seed)
        switch chain {
        case .bitcoin:
            let taproot = try master.derive(AccountTemplate.bitcoin(.taproot, on: network, account: account))
            let segwit = try master.derive(AccountTemplate.bitcoin(.segwit, on: network, account: account))
            imported = ImportedPublicKeys(
                .bitcoin(taproot: taproot.neutered(), segwit: segwit.neutered()), master: master.fingerprint)
            schnorr = taproot.privateKey()
            ecdsa = segwit.privateKey()
        case .ethereum:
            let key = try master.derive(AccountTemplate.ethereum(account: account))
            imported = ImportedPublicKeys(.ethereum(key.neutered()), master: master.fingerprint)
            schnorr = nil
            ecdsa = key.privateKey()
        }
    }
}
