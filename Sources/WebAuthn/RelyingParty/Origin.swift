internal import Encoding

/// The origin of a page, in the only form in which browsers write it: `https://example.org`, `http://localhost:8080`;
/// or an Android app: `android:apk-key-hash:` and the SHA-256 of its certificate in base64url.
public struct Origin: Hashable, Sendable {
    /// The origin as browsers write it.
    public let text: String
    /// The host's name; nil for apps.
    let host: String?
    /// Whether it is `https`.
    let isSecure: Bool

    /// Reads an origin.
    ///
    /// - Throws: ``WebAuthnError/malformed(_:)`` with `origin`: also for a path or a slash at the end, for upper case,
    ///   for a port that browsers omit, and for `http` with anything but `localhost`.
    public init(_ text: String) throws(WebAuthnError) {
        guard text.utf8.count <= WebAuthnLimits.originCharacters else { throw .malformed(.origin) }
        if let hash = Self.rest(of: text, behind: "android:apk-key-hash:") {
            guard let bytes = try? Base64URL.decode(hash), bytes.count == 32 else { throw .malformed(.origin) }
            (host, isSecure) = (nil, false)
        } else if let rest = Self.rest(of: text, behind: "https://") {
            (host, isSecure) = (try Self.host(of: rest, omitting: 443), true)
        } else if let rest = Self.rest(of: text, behind: "http://") {
            // Browsers treat this one as secure without encryption: it does not leave the machine.
            (host, isSecure) = (try Self.host(of: rest, omitting: 80), false)
            guard host == "localhost" else { throw .malformed(.origin) }
        } else {
            throw .malformed(.origin)
        }
        self.text = text
    }

    private static func rest(of text: String, behind prefix: String) -> String? {
        text.utf8.starts(with: prefix.utf8) ? String(Substring(text.utf8.dropFirst(prefix.utf8.count))) : nil
    }

    private static func host(of rest: String, omitting standard: UInt16) throws(WebAuthnError) -> String {
        let parts = rest.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let host = parts.first, Domain.isValid(host) else { throw .malformed(.origin) }
        if let port = parts.dropFirst().first {
            guard let number = UInt16(port), String(number) == port, number > 0, number != standard else {
                throw .malformed(.origin)
            }
        }
        return host
    }

    /// Returns whether a client wrote exactly this origin.
    func matches(_ written: String) -> Bool { text.utf8.elementsEqual(written.utf8) }
}

extension Origin: CustomStringConvertible {
    public var description: String { text }
}
