public import Curves
internal import Encoding

/// A signed transaction with its sender, in the form that nodes accept.
public struct SignedEthereumTransaction: Hashable, Sendable {
    /// The transaction without its signature.
    public let transaction: EthereumTransaction
    /// The signature of the sender.
    public let signature: EthereumSignature
    /// The account that pays, recovered from the signature.
    public let sender: EthereumAddress

    /// Attaches a signature, and recovers the sender from it.
    ///
    /// - Throws: ``EthereumError/badTransaction(_:)`` if no key can have made the signature.
    public init(_ transaction: EthereumTransaction, signature: EthereumSignature) throws(EthereumError) {
        guard let sender = signature.signer(ofHash: transaction.signingHash) else {
            throw .badTransaction(.signature)
        }
        self.transaction = transaction
        self.signature = signature
        self.sender = sender
    }

    /// Adds the signature of threshold signers to a transaction.
    ///
    /// - Throws: ``EthereumError/wrongSigner`` if the key did not sign this transaction.
    public init(
        _ transaction: EthereumTransaction, signature: ECDSASignature, publicKey: Secp256k1.Point
    ) throws(EthereumError) {
        self.transaction = transaction
        self.signature = try EthereumSignature(
            signature, hash: transaction.signingHash, publicKey: publicKey)
        sender = EthereumAddress(publicKey: publicKey)
    }

    /// Signs with one key.
    ///
    /// - Parameter sender: the account of the key, with which the signature is compared.
    /// - Throws: as ``EthereumSignature/sign(hash:key:signer:)`` does.
    public static func sign(
        _ transaction: EthereumTransaction, key: borrowing SecretScalar<Secp256k1>, sender: EthereumAddress
    ) throws(EthereumError) -> SignedEthereumTransaction {
        let signature = try EthereumSignature.sign(hash: transaction.signingHash, key: key, signer: sender)
        return SignedEthereumTransaction(transaction: transaction, signature: signature, sender: sender)
    }

    private init(transaction: EthereumTransaction, signature: EthereumSignature, sender: EthereumAddress) {
        self.transaction = transaction
        self.signature = signature
        self.sender = sender
    }

    /// The bytes that a node accepts (`eth_sendRawTransaction`).
    public var encoded: [UInt8] { transaction.encoded(signature: signature) }

    /// The transaction's hash, 32 bytes, which identifies it on the chain.
    public var hash: [UInt8] { Keccak256.hash(encoded) }

    /// The hash in the form for people and programs: hexadecimal after `0x`.
    public var name: String { "0x" + Hex.encode(hash) }

    /// Reads exactly what ``encoded`` gives.
    ///
    /// - Throws: ``EthereumError/badTransaction(_:)``.
    public init(decoding bytes: some Collection<UInt8>) throws(EthereumError) {
        let (type, items) = try EthereumTransaction.split(bytes)
        guard items.count >= 3 else { throw .badTransaction(.fieldCount(items.count)) }
        var tail = FieldReader(Array(items.suffix(3)))
        let v = try tail.integer(type == nil ? .v : .yParity)
        let r = try tail.number(.r)
        let s = try tail.number(.s)
        var chain: ChainID?
        let isOdd: Bool
        switch (type, v) {
        case (nil, 27), (nil, 28): isOdd = v == 28
        case (nil, 37...):
            // EIP-155; 35 and 36 would be chain 0.
            do { chain = try ChainID((v - 35) / 2) } catch { throw .badTransaction(.field(.v)) }
            isOdd = v.isMultiple(of: 2)
        case (nil, _): throw .badTransaction(.field(.v))
        case (_, 0), (_, 1): isOdd = v == 1
        default: throw .badTransaction(.field(.yParity))
        }
        let transaction = try EthereumTransaction(type, Array(items.dropLast(3)), legacyChain: chain)
        let signature: EthereumSignature
        do {
            signature = try EthereumSignature(r: r, s: s, isOdd: isOdd)
        } catch {
            throw .badTransaction(.signature)
        }
        try self.init(transaction, signature: signature)
    }
}
