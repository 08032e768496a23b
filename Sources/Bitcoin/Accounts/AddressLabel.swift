public import HDKeys

/// The label of one of a wallet's Bitcoin addresses: its kind and its path.
public struct AddressLabel: Hashable, Sendable {
    /// The kinds of addresses.
    public enum Kind: UInt8, CaseIterable, Hashable, Sendable {
        /// P2TR, spent by its key.
        case taproot
        /// P2WPKH.
        case segwit
    }

    /// The kind of the address, and so the key that it pays to.
    public let kind: Kind
    /// The derivation path of that key.
    public let path: AddressPath

    /// Creates a label.
    public init(_ kind: Kind, at path: AddressPath) {
        self.kind = kind
        self.path = path
    }
}

extension BitcoinAccounts {
    /// Returns the key of an address.
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
