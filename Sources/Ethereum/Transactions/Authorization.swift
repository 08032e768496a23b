public import Amounts
internal import Curves
internal import Encoding

/// An account's signed authorization to run the code of a contract (EIP-7702). The contract's owner then controls the
/// account, with everything it has, until the authorization is replaced.
public struct Authorization: Hashable, Sendable {
    /// The chain; zero means every chain.
    public let chainID: UInt256
    /// The contract whose code the account runs; zero ends an earlier authorization.
    public let delegate: EthereumAddress
    /// The nonce of the account that signs.
    public let nonce: UInt64
    /// The parity as it is in the transaction. An invalid signature makes nodes skip the authorization, not the
    /// transaction.
    public let yParity: UInt8
    /// The number r of the signature.
    public let r: UInt256
    /// The number s of the signature.
    public let s: UInt256

    /// Creates an authorization with its signature.
    public init(
        chainID: UInt256, delegate: EthereumAddress, nonce: UInt64, yParity: UInt8, r: UInt256, s: UInt256
    ) {
        self.chainID = chainID
        self.delegate = delegate
        self.nonce = nonce
        self.yParity = yParity
        self.r = r
        self.s = s
    }

    /// The hash that the account signs: of 5 and the list of chain, contract and nonce.
    public var signingHash: [UInt8] {
        Keccak256.hash([5] + RLP.list([.init(number: chainID), .bytes(delegate.bytes), RLP(nonce)]).encoded)
    }

    /// The account that signed; nil if the signature is invalid, so that nodes ignore the authorization.
    public var authority: EthereumAddress? {
        guard yParity < 2, let signature = try? EthereumSignature(r: r, s: s, isOdd: yParity == 1) else { return nil }
        return signature.signer(ofHash: signingHash)
    }

    var item: RLP {
        .list([
            RLP(number: chainID), .bytes(delegate.bytes), RLP(nonce), RLP(UInt64(yParity)), RLP(number: r),
            RLP(number: s),
        ])
    }

    init(_ item: RLP) throws(EthereumError) {
        guard let list = item.list, list.count == 6 else { throw .badTransaction(.field(.authorizations)) }
        var fields = FieldReader(list)
        do {
            chainID = try fields.number(.authorizations)
            guard let delegate = try fields.recipient() else { throw EthereumError.badAddress }
            self.delegate = delegate
            nonce = try fields.integer(.authorizations)
            guard let yParity = UInt8(exactly: try fields.integer(.authorizations)) else {
                throw EthereumError.badSignature
            }
            self.yParity = yParity
            r = try fields.number(.authorizations)
            s = try fields.number(.authorizations)
        } catch {
            throw .badTransaction(.field(.authorizations))
        }
    }
}
