public import Ceremonies

extension ImportedPublicKeys {
    /// Whether other software of the same words shows addresses of this kind as they are here.
    public func restores(_ kind: WalletAddress.Kind) -> Bool {
        switch (account, kind) {
        case (.bitcoin, .taproot), (.bitcoin, .segwit), (.ethereum, .ethereum): true
        case (.bitcoin, .ethereum), (.ethereum, .taproot), (.ethereum, .segwit): false
        }
    }
}
