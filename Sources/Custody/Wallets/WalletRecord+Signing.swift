public import Ceremonies
internal import Curves
internal import Threshold
public import Wallet

extension WalletRecord {
    /// Returns the payload's effects on the wallet, and the signatures that it needs.
    ///
    /// - Throws: ``CustodyError/wallet(_:)`` for an account that the wallet does not have, or if its key has no
    ///   addresses.
    public func work(of payload: SigningPayload) throws(CustodyError) -> SigningWork {
        let accounts = try accounts
        do { return try SigningWork(of: payload, for: accounts) } catch { throw .key(error) }
    }
}

extension WalletRecord {
    /// The key that verifies the files that the wallet signs.
    public var minisignKey: MinisignKey { MinisignKey(ofWallet: keys.ed25519.publicKey.encoded) }

    /// Returns the payload for a signature of a file.
    ///
    /// - Parameter comment: the trusted comment, 1 to 1,024 bytes.
    /// - Throws: `MinisignFault.unsignableComment`.
    public func signing(_ file: FileDigest, comment: String) throws(MinisignFault) -> SigningPayload {
        .file(try FileToSign(file, comment: comment, publicKey: keys.ed25519.publicKey.encoded))
    }
}

extension ProposedPayload {
    /// Judges a payload of a wallet: ``init(_:from:under:in:findings:)`` with the wallet's keys.
    public init(
        _ work: SigningWork, from wallet: WalletRecord, under policy: Policy = .standard, in context: PolicyContext,
        findings: [Finding] = []
    ) {
        self.init(work, from: wallet.walletKeys, under: policy, in: context, findings: findings)
    }
}
