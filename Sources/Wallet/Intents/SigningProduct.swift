public import Bitcoin
internal import Curves
public import Ethereum
internal import HDKeys

/// A signed payload.
public enum SigningProduct: Equatable, Sendable {
    /// A PSBT with a signature in each of the wallet's inputs.
    case bitcoinTransaction(PSBT)
    /// A transaction for a node of Ethereum.
    case ethereumTransaction(SignedEthereumTransaction)
    /// The signature of a personal message (EIP-191) or of typed data (EIP-712).
    case ethereumMessage(EthereumSignature)
    /// The signature of a message (BIP-322).
    case bitcoinMessage(MessageSignature)
    /// The signature of a file, and the key that made it.
    case file(MinisignSignature, by: MinisignKey)
}

extension SigningWork {
    /// Verifies each signature and adds it to the payload. Those of a Bitcoin transaction are verified under the keys
    /// in the outputs that it spends.
    ///
    /// - Parameters:
    ///   - signatures: 64 bytes for each of the ``requests``, in their order: as BIP-340 has them, or
    ///     `ECDSASignature.compact`. For a file: the signature of the digest and the global signature.
    ///   - accounts: the accounts of the wallet that signed.
    /// - Throws: ``WalletError/bitcoin(_:)``, ``WalletError/ethereum(_:)`` or ``WalletError/file(_:)`` for signatures that are
    ///   not valid; ``WalletError/key(_:)``.
    public func signed(
        by signatures: [[UInt8]], for accounts: Accounts
    ) throws(WalletError) -> SigningProduct {
        switch payload {
        case .bitcoinTransaction(var psbt):
            let requests = spend?.signingRequests ?? []
            guard requests.count == signatures.count else {
                throw .bitcoin(.badSignature(input: signatures.count))
            }
            do { try psbt.insert(zip(requests, signatures).map { ($0, $1) }) } catch { throw .bitcoin(error) }
            return .bitcoinTransaction(psbt)
        case .ethereumTransaction(let transaction, let account):
            let key = try Self.key { () throws(HDKeyError) in try accounts.ethereumKey(at: account) }
            let signature = try Self.ecdsa(signatures)
            do {
                return .ethereumTransaction(
                    try SignedEthereumTransaction(transaction, signature: signature, publicKey: key.publicKey))
            } catch {
                throw .ethereum(error)
            }
        case .personalMessage(let message, let account):
            return .ethereumMessage(try Self.ethereum(signatures, of: message.hash, by: account, of: accounts))
        case .typedData(let data, _, let account):
            return .ethereumMessage(try Self.ethereum(signatures, of: data.hash, by: account, of: accounts))
        case .bitcoinMessage(let message, let address):
            guard let signature = signatures.first, signatures.count == 1 else {
                throw .bitcoin(.badSignature(input: 0))
            }
            let key = try Self.key { () throws(HDKeyError) in try accounts.bitcoin.key(of: address) }
            do {
                return .bitcoinMessage(try MessageToSign(message, by: key).signature(from: signature))
            } catch {
                throw .bitcoin(error)
            }
        case .file(let file):
            guard signatures.count == 2 else { throw .file(.badSignature) }
            do {
                return .file(
                    try MinisignSignature(of: file, signature: signatures[0], globalSignature: signatures[1]),
                    by: file.key)
            } catch { throw .file(error) }
        }
    }

    private static func ethereum(
        _ signatures: [[UInt8]], of hash: [UInt8], by account: UInt32, of accounts: Accounts
    ) throws(WalletError) -> EthereumSignature {
        let key = try key { () throws(HDKeyError) in try accounts.ethereumKey(at: account) }
        let signature = try ecdsa(signatures)
        do { return try EthereumSignature(signature, hash: hash, publicKey: key.publicKey) } catch {
            throw .ethereum(error)
        }
    }

    private static func key<Key>(_ derive: () throws(HDKeyError) -> Key) throws(WalletError) -> Key {
        do { return try derive() } catch { throw .key(error) }
    }

    private static func ecdsa(_ signatures: [[UInt8]]) throws(WalletError) -> ECDSASignature {
        guard let compact = signatures.first, signatures.count == 1,
            let signature = try? ECDSASignature(compact: compact)
        else { throw .ethereum(.badSignature) }
        return signature
    }
}
