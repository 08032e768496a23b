/// A caller's own name for one payment. The wallet never pays the same key twice.
///
/// An invoice's number, or the identifier of a job, is a good key. It is stored in the wallet's book and must not be a
/// secret.
public struct PaymentKey: Hashable, Sendable, CustomStringConvertible {
    /// The key: 1 to 64 visible ASCII characters.
    public let text: String

    /// Creates a key from a text of the caller's.
    ///
    /// - Throws: ``WalletError/badPaymentKey`` for any other text.
    public init(_ text: String) throws(WalletError) {
        guard (1...WalletLimits.paymentKeySize).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw .badPaymentKey }
        self.text = text
    }

    public var description: String { text }
}
