import AuthAPI
import Encoding
import Secrets
import Synchronization
import TestSupport
import Testing
import Time
import Tokens

/// The library's type, not that of TestSupport, which reads vectors.
typealias JSON = Encoding.JSON

extension SigningKey {
    /// Returns the same key for the same seed.
    static func seeded(_ seed: UInt64) -> SigningKey { SigningKey(from: SeededRandom(seed: seed)) }
}

extension JSON {
    /// Returns the object with one member set or removed.
    func setting(_ name: String, to value: JSON?) throws -> JSON {
        var members = try #require(object).members.filter { $0.name != name }
        if let value { members.append(Object.Member(name: name, value: value)) }
        return .object(try Object(members))
    }
}

/// Returns a token of any header and claims with a right signature: what a malicious holder of the key could make.
func signedText(_ header: JSON, _ claims: JSON, by key: SigningKey) -> String {
    CompactJWS.sign(header: header, payload: claims.encoded, by: key)
}

/// Returns the parts of a compact JWS, decoded.
func parts(of text: String) throws -> [[UInt8]] {
    try text.split(separator: ".", omittingEmptySubsequences: false).map { try Base64URL.decode(String($0)) }
}

extension Timestamp {
    /// A Saturday in 2026, 12:00:00.250.
    static let noon = Timestamp(milliseconds: 1_795_262_400_250)

    static func + (time: Timestamp, seconds: Int64) -> Timestamp { time.adding(.seconds(seconds)) }
}

/// The inputs of the tests' access tokens.
struct Session {
    static let issuer = "https://auth.example.com"
    static let audience = "https://auth.example.com/api"

    let server = SigningKey.seeded(1)
    let device = SigningKey.seeded(2)
    let random = SeededRandom(seed: 3)
    let account: AccountID
    let id: SessionID

    init() throws {
        account = try #require(AccountID(bytes: [UInt8](repeating: 0xa1, count: 16)))
        id = try #require(SessionID(bytes: [UInt8](repeating: 0x5e, count: 16)))
    }

    static let ceremony = AuthenticationContext.Ceremony(
        userPresent: true, userVerified: true, backupEligible: true, keyStorage: .unknown)

    func token(
        now: Timestamp = .noon, lifetime: Timestamp.Span = AccessToken.lifetime, device: SigningKey? = nil
    ) throws -> AccessToken {
        AccessToken(
            issuer: Self.issuer, audience: Self.audience, client: "fueki", account: account, session: id,
            device: (device ?? self.device).publicKey.thumbprint,
            authentication: AuthenticationContext(Self.ceremony, at: now + -60),
            scope: try Scope("session trade"), now: now, lifetime: lifetime, random: random)
    }

    func verifier(leeway: Timestamp.Span = .zero) throws -> AccessToken.Verifier {
        AccessToken.Verifier(
            issuer: Self.issuer, audience: Self.audience,
            keys: try VerificationKeys(current: server.publicKey, next: [], retired: []), leeway: leeway)
    }
}

/// 0, 1, 2, …
final class Counter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        count.withLock { count in
            defer { count += 1 }
            return count
        }
    }
}
