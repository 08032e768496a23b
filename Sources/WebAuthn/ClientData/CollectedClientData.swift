internal import Crypto
internal import Encoding

/// What the client says about the ceremony (Level 3, section 5.8.1), read once. Nothing of it is verified yet.
///
/// Members that are not known are allowed: browsers add some on purpose.
public struct CollectedClientData: Equatable, Sendable {
    /// The ceremony; nil if it is another one than the two of WebAuthn.
    public let type: Ceremony?
    /// What was to be signed, decoded.
    public let challenge: [UInt8]
    /// Where the page came from, as the client wrote it.
    public let origin: String
    /// Whether the page was in a frame of another origin. Not said is false.
    public let crossOrigin: Bool
    /// The origin of the outermost page, if that is another one and the client says so.
    public let topOrigin: String?
    /// The SHA-256 of all bytes, which is what was signed; 32 bytes.
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
    /// - Throws: ``WebAuthnError/malformed(_:)`` with `clientData`: no JSON, a name twice, a member missing or of another
    ///   type.
    public init(decoding bytes: [UInt8]) throws(WebAuthnError) {
        let json: JSON
        do {
            // Section 7.1, step 5, and 7.2, step 8: "UTF-8 decode" takes one byte order mark away. The hash keeps it.
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
