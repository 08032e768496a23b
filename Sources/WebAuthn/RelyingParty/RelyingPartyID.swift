internal import Crypto

/// The domain to which credentials are bound, such as `example.org`; or `localhost`.
///
/// Browsers refuse domains under which anyone may register, such as `co.uk`; this type does not know them.
public struct RelyingPartyID: Hashable, Sendable {
    /// The domain in lower case.
    public let text: String
    /// The SHA-256 of the text, as in authenticator data; 32 bytes.
    public let hash: [UInt8]

    /// Reads a domain.
    ///
    /// - Throws: ``WebAuthnError/malformed(_:)`` with `relyingPartyID` for anything but a domain in lower case, in ASCII.
    public init(_ text: String) throws(WebAuthnError) {
        guard Domain.isValid(text) else { throw .malformed(.relyingPartyID) }
        self.text = text
        hash = Array(SHA256.hash(data: Array(text.utf8)))
    }

    /// Returns whether pages of this host may use its credentials: the domain itself, and its subdomains.
    func covers(_ host: String) -> Bool {
        let (host, domain) = (Array(host.utf8), Array(text.utf8))
        guard host.count > domain.count else { return host == domain }
        return host.suffix(domain.count).elementsEqual(domain)
            && host[host.count - domain.count - 1] == UInt8(ascii: ".")
    }
}

extension RelyingPartyID: CustomStringConvertible {
    public var description: String { text }
}

/// Host names, in the form in which browsers write them.
enum Domain {
    /// Returns whether the text is at least two labels of lower-case letters, digits and hyphens (RFC 1035, section
    /// 2.3.1; RFC 1123, section 2.1), the last of which is not a number (as in an IPv4 address); or `localhost`.
    static func isValid(_ text: String) -> Bool {
        if text == "localhost" { return true }
        guard text.utf8.count <= 253 else { return false }
        let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.count >= 2, let last = labels.last, !last.allSatisfy(isDigit) else { return false }
        return labels.allSatisfy { label in
            (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
                && label.allSatisfy {
                    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || isDigit($0) || $0 == UInt8(ascii: "-")
                }
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
