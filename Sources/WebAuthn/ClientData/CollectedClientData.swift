internal import Crypto
internal import Encoding

/// The client data: the client's statement about the ceremony (Level 3, section 5.8.1), read and not yet verified.
///
/// Unknown members are allowed: browsers add some on purpose.
public struct CollectedClientData: Equatable, Sendable {
    /// The ceremony; nil if it is not one of WebAuthn's two.
    public let type: Ceremony?
    /// The challenge, decoded.
    public let challenge: [UInt8]
    /// The origin of the page, as the client wrote it.
    public let origin: String
    /// Whether the page was in a frame of another origin. A missing member means false.
    public let crossOrigin: Bool
    /// The origin of the outermost page, if it is another one and the client gives it.
    public let topOrigin: String?
    /// The SHA-256 of all bytes, which was signed; 32 bytes.
    public let hash: [UInt8]

    /// The ceremonies of WebAuthn.
    public enum Ceremony: String, Sendable {
        /// A registration.
        case create = "webauthn.create"
        /// An authentication.
        case get = "webauthn.get"
    }

    /// Reads client data as they were signed.
    ///
    /// - Throws: ``WebAuthnError/malformed(_:)`` with `clientData` if it is not JSON, has a name twice, or a member is
    ///   missing or has another type.
    public init(decoding bytes: [UInt8]) throws(WebAuthnError) {
        let json: JSON
        do {
            // Section 7.1, step 5, and 7.2, step 8: "UTF-8 decode" removes a byte order mark. The hash includes it.
            let text = bytes.starts(with: Self.byteOrderMark) ? bytes[Self.byteOrderMark.count...] : bytes[...]
            json = try JSON(
                decoding: text, limit: WebAuthnLimits.clientDataBytes, depth: WebAuthnLimits.clientDataDepth)
        } catch { throw .malformed(.clientData) }
        guard let type = json["type"]?.string, let challenge = json["challenge"]?.string,
            let origin = json["origin"]?.string, let challenge = try? Base64URL.decode(challenge)
        else { throw .malformed(.clientData) }
        switch json["crossOrigin"] {
        case nil: crossOrigin = false
        case .bool(let value)?: crossOrigin = value
        default: throw .malformed(.clientData)
        }
        switch json["topOrigin"] {
        case nil: topOrigin = nil
        case .string(let value)?: topOrigin = value
        default: throw .malformed(.clientData)
        }
        self.type = Ceremony(rawValue: type)
        self.challenge = challenge
        self.origin = origin
        hash = Array(SHA256.hash(data: bytes))
    }

    private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]
}
