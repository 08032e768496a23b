internal import Curves
public import HDKeys
public import Secrets

/// The private keys of a mnemonic's account, before they are dealt into shares. They are wiped afterwards.
///
/// - Warning: Everyone who has the words has these keys, too, for ever. A sweep to a wallet whose key never was whole
///   is better.
public struct ImportedPrivateKeys: ~Copyable, Sendable {
    /// The chain of the account.
    public enum Chain: Sendable {
        /// The accounts of BIP-86 and BIP-84 with one number.
        case bitcoin
        /// The account of BIP-44.
        case ethereum
    }

    /// The public halves of the keys.
    public let imported: ImportedPublicKeys
    /// The Schnorr key; nil on Ethereum, where the participants make one together.
    let schnorr: SecretScalar<Secp256k1>?
    let ecdsa: SecretScalar<Secp256k1>

    /// Derives the private keys of the accounts of a seed (BIP-32).
    ///
    /// - Parameters:
    ///   - seed: `Mnemonic.seed(passphrase:)`.
    ///   - account: the account number, 0..<2³¹.
    ///   - network: the Bitcoin network, which is part of the path.
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
