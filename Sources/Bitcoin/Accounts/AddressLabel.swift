public import HDKeys

/// One of a wallet's Bitcoin addresses, by what it pays to and where it comes from.
public struct AddressLabel: Hashable, Sendable {
    /// What there is.
    public enum Kind: UInt8, CaseIterable, Hashable, Sendable {
        /// P2TR, by its key.
        case taproot
        /// P2WPKH.
        case segwit
    }

    /// Which of the wallet's keys it pays to.
    public let kind: Kind
    /// Where that key comes from.
    public let path: AddressPath

    /// Creates a label.
    public init(_ kind: Kind, at path: AddressPath) {
        self.kind = kind
        self.path = path
    }
}

extension BitcoinAccounts {
    /// The key of an address.
    ///
    /// - Throws: `HDKeyError.badPath` for a wallet without such addresses; `HDKeyError.badKey`.
    public func key(of label: AddressLabel) throws(HDKeyError) -> DerivedKey {
        switch label.kind {
        case .taproot: return .taproot(try taproot.key(at: label.path))
        case .segwit:
            guard let segwit else { throw .badPath }
            return .segwit(try segwit.key(at: label.path))
        }
    }
}
