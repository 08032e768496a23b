/// The permissions of a token (RFC 6749 section 3.3): different names of printable ASCII, in order.
public struct Scope: Sendable, Equatable, CustomStringConvertible {
    /// The names, in the given order.
    public let names: [String]

    /// Creates a scope of these names.
    ///
    /// - Throws: ``TokensError/malformed(_:)`` if a name is empty, occurs twice, or has a character that is not
    ///   allowed;
    ///   ``TokensError/tooLong(limit:)``.
    public init(_ names: [String]) throws(TokensError) {
        let length = names.reduce(0) { $0 + $1.utf8.count + 1 }
        guard length <= TokensLimits.scopeBytes + 1 else { throw .tooLong(limit: TokensLimits.scopeBytes) }
        for name in names {
            // %x21 / %x23-5B / %x5D-7E
            let isName = name.utf8.allSatisfy {
                (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
            }
            guard isName, !name.isEmpty else { throw .malformed(.scope) }
        }
        guard Set(names).count == names.count else { throw .malformed(.scope) }
        self.names = names
    }

    /// Reads names with one space between them; empty text has no names.
    public init(_ text: String) throws(TokensError) {
        guard text.utf8.count <= TokensLimits.scopeBytes else { throw .tooLong(limit: TokensLimits.scopeBytes) }
        try self.init(text.isEmpty ? [] : text.split(separator: " ", omittingEmptySubsequences: false).map(String.init))
    }

    /// Returns whether exactly this name is among them.
    public func contains(_ name: String) -> Bool { names.contains(name) }

    /// The names with one space between them.
    public var description: String { names.joined(separator: " ") }
}
