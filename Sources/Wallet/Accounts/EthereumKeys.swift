public import HDKeys

extension Accounts {
    /// Returns the key of an Ethereum account.
    ///
    /// - Throws: `HDKeyError.badPath` for a wallet without Ethereum accounts, and for an index of 2³¹ or more.
    public func ethereumKey(at index: UInt32) throws(HDKeyError) -> DerivedEthereumKey {
        guard let ethereum else { throw .badPath }
        return try ethereum.key(at: index)
    }
}

extension SignatureRequest {
    init(message: [UInt8], key: DerivedEthereumKey) {
        self.init(message: message, key: .ecdsa(tweak: key.tweak, publicKey: key.publicKey))
    }
}
