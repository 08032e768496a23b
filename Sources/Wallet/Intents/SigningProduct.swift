internal import Curves
internal import HDKeys

/// What a payload becomes by its signatures.
public enum SigningProduct: Equatable, Sendable {
    /// With a signature in each input that is the wallet's.
    case bitcoinTransaction(PSBT)
    case ethereumTransaction(SignedEthereumTransaction)
    /// Of a personal message (EIP-191) or typed data (EIP-712).
    case ethereumMessage(EthereumSignature)
    /// BIP-322.
    case bitcoinMessage(MessageSignature)
}

extension SigningWork {
    /// Puts the signatures where they belong, once each was verified: of a Bitcoin transaction under the keys that stand in the
    /// outputs which it spends.
    ///
    /// - Parameters:
    ///   - signatures: 64 bytes for each of the ``requests``, in their order: as BIP-340 has them, or
    ///     ``ECDSASignature/compact``.
    ///   - accounts: of the wallet that signed.
    /// - Throws: ``WalletError/badSignature(input:)``, ``WalletError/wrongSigner``, ``WalletError/badEthereumSignature``.
    public func signed(
        by signatures: [[UInt8]], for accounts: Accounts
    ) throws(WalletError) -> SigningProduct {
        switch payload {
        case .bitcoinTransaction(var psbt):
            let requests = spend?.signingRequests ?? []
            guard requests.count == signatures.count else { throw .badSignature(input: signatures.count) }
            try psbt.insert(zip(requests, signatures).map { ($0, $1) })
            return .bitcoinTransaction(psbt)
        case .ethereumTransaction(let transaction, let account):
            return .ethereumTransaction(
                try SignedEthereumTransaction(
                    transaction, signature: try Self.ecdsa(signatures),
                    publicKey: try Self.key { () throws(HDKeyError) in try accounts.ethereumKey(at: account) }.publicKey))
        case .personalMessage(let message, let account):
            return .ethereumMessage(
                try EthereumSignature(
                    try Self.ecdsa(signatures), hash: message.hash,
                    publicKey: try Self.key { () throws(HDKeyError) in try accounts.ethereumKey(at: account) }.publicKey))
        case .typedData(let data, _, let account):
            return .ethereumMessage(
                try EthereumSignature(
                    try Self.ecdsa(signatures), hash: data.hash,
                    publicKey: try Self.key { () throws(HDKeyError) in try accounts.ethereumKey(at: account) }.publicKey))
        case .bitcoinMessage(let message, let address):
            guard let signature = signatures.first, signatures.count == 1 else { throw .badSignature(input: 0) }
            return .bitcoinMessage(
                try MessageToSign(
                    message, by: try Self.key { () throws(HDKeyError) in try accounts.key(of: address) }
                ).signature(from: signature))
        }
    }

    private static func key<Key>(_ derive: () throws(HDKeyError) -> Key) throws(WalletError) -> Key {
        do { return try derive() } catch { throw .key(error) }
    }

    private static func ecdsa(_ signatures: [[UInt8]]) throws(WalletError) -> ECDSASignature {
        guard let compact = signatures.first, signatures.count == 1,
            let signature = try? ECDSASignature(compact: compact)
        else { throw .badEthereumSignature }
        return signature
    }
}
