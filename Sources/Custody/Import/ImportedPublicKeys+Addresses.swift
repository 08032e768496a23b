public import Ceremonies

extension ImportedPublicKeys {
    /// Returns whether other software with the same mnemonic shows the same addresses of this kind.
    public func restores(_ kind: WalletAddress.Kind) -> Bool {
        switch (account, kind) {
        case (.bitcoin, .taproot), (.bitcoin, .segwit), (.ethereum, .ethereum): true
        case (.bitcoin, .ethereum), (.ethereum, .taproot), (.ethereum, .segwit): false
        }
    }
}
