public import Wallet

/// A transaction with all the signatures that were asked for, each verified.
public struct SignedSpend: Sendable {
    public let psbt: PSBT
    /// What went wrong when all signatures were there, and takes nothing from them; show it. Mostly
    /// ``CustodyError/shareNotWritable(_:path:_:)``: what the share's file counts as a session that came to nothing was none.
    public let warnings: [CustodyError]
}
