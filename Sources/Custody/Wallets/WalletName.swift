/// A name that is safe as part of a file's name: 1 to 64 of `a-z A-Z 0-9 . _ -`, the first a letter or a digit.
public struct WalletName: Hashable, Sendable, CustomStringConvertible {
    /// The name itself.
    public let description: String

    /// Reads a name.
    ///
    /// - Throws: ``CustodyError/badWalletName``.
    public init(_ text: String) throws(CustodyError) {
        let plain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        guard plain, (1...64).contains(text.utf8.count), let first = text.unicodeScalars.first,
            !".-_".unicodeScalars.contains(first)
        else { throw .badWalletName }
        description = text
    }
}
