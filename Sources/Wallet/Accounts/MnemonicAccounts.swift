public import Bitcoin
internal import Curves
public import HDKeys
public import Secrets

/// The accounts of a mnemonic with one account number, with their private keys, for the sweep that moves everything
/// away from them: Bitcoin's BIP-84 and BIP-86 accounts, and the first Ethereum address (m/44'/60'/N'/0/0).
///
/// Here one whole key in this memory signs, as in every other software that had the words. The coins move to a wallet
/// of shares.
public struct MnemonicAccounts: ~Copyable, Sendable {
    /// The public data of the Bitcoin accounts.
    public let accounts: Accounts
    /// The Ethereum account.
    public let ethereum: WholeEthereumAccount
    private let segwit, taproot: ExtendedPrivateKey

    /// Derives the accounts of a seed.
    ///
    /// - Parameters:
    ///   - seed: `Mnemonic.seed(passphrase:)`.
    ///   - account: the account number, 0..<2³¹.
    /// - Throws: `HDKeyError.badPath` for an account from 2³¹ on; `HDKeyError.badKey`, which is less likely than 2⁻¹²⁰.
    public init(seed: borrowing SecretBytes, on network: Network, account: UInt32) throws(HDKeyError) {
        let master = try ExtendedPrivateKey(seed: seed)
        let segwit = try master.derive(AccountTemplate.bitcoin(.segwit, on: network, account: account))
        let taproot = try master.derive(AccountTemplate.bitcoin(.taproot, on: network, account: account))
        let ethereumKey = try master.derive(
            AccountTemplate.ethereum(account: account).path(to: AddressPath(.receive, index: 0)))
        let accounts = try Accounts(
            taproot: TaprootAccount(key: taproot.neutered(), network: network),
            segwit: SegwitAccount(key: segwit.neutered(), network: network))
        ethereum = WholeEthereumAccount(key: ethereumKey.privateKey())
        self.accounts = accounts
        self.segwit = segwit
        self.taproot = taproot
    }

    /// Signs all inputs of these accounts, if the transaction has no refusal. Each signature is verified.
    ///
    /// - Parameter ownership: the ownership of ``accounts``.
    /// - Throws: `BitcoinError.incomplete(input:)` if it is refused, or nothing is to be signed; `BitcoinError.badSignature(input:)`.
    public borrowing func sign(
        _ psbt: PSBT, as ownership: Ownership, random: some RandomSource
    ) throws(BitcoinError) -> PSBT {
        let requests = SpendSummary(of: psbt, for: ownership).signingRequests
        guard !requests.isEmpty else { throw .incomplete(input: 0) }
        var signed = psbt
        for request in requests {
            try signed.insert(signature: try signature(for: request, random), for: request)
        }
        return signed
    }

    private borrowing func signature(
        for request: SigningRequest, _ random: some RandomSource
    ) throws(BitcoinError) -> [UInt8] {
        do throws(CurvesError) {
            switch request.key {
            case .segwit(let key):
                let child = try child(of: segwit, at: key.path)
                return try ECDSASignature.sign(message: request.message, key: child.privateKey()).compact
            case .taproot(let key):
                guard let tweak = key.tweaks.last else { throw CurvesError.zero }
                let child = try child(of: taproot, at: key.path)
                // with_even_y, then the output's tweak (BIP-341).
                let isEven = child.point.hasEvenY
                let secret = child.privateKey()
                return try BIP340.sign(
                    message: request.message, key: (isEven ? secret.clone() : secret.negated()) + tweak.scalar,
                    auxiliary: random.publicBytes(count: 32))
            }
        } catch { throw .badSignature(input: request.input) }
    }

    private borrowing func child(
        of account: borrowing ExtendedPrivateKey, at path: AddressPath
    ) throws(CurvesError) -> ExtendedPrivateKey {
        do {
            return try account.child(DerivationPath.Step(index: path.chain.rawValue, isHardened: false))
                .child(DerivationPath.Step(index: path.index, isHardened: false))
        } catch { throw .zero }
    }
}
