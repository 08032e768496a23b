import AuthAPI
import Secrets
import TestSupport
import Testing
import Time
import Tokens

/// A family, the server's keys, and a row that is only written by a writer that has read its last state.
struct RefreshFixture {
    let session: Session
    let keys: RefreshTagKeys
    let random: SeededRandom
    let first: RefreshToken
    let policy = RefreshPolicy.usual
    private(set) var row: RefreshFamily
    /// The written row.
    private(set) var writes = 0

    init(seed: UInt64 = 7) throws {
        session = try Session()
        random = SeededRandom(seed: seed)
        keys = RefreshTagKeys(current: 5, secret: SecretBytes(count: 32, from: random))
        first = RefreshToken(family: session.id, generation: 0, keys: keys, random: random)
        row = RefreshFamily(
            first: first, account: session.account,
            device: try #require(DeviceID(bytes: [UInt8](repeating: 9, count: 16))),
            thumbprint: session.device.publicKey.thumbprint,
            authentication: AuthenticationContext(Session.ceremony, at: .noon), scope: try Scope("session"), now: .noon,
            policy: policy)
    }

    var key: KeyThumbprint { row.thumbprint }
    var otherKey: KeyThumbprint { SigningKey.seeded(1_000).publicKey.thumbprint }

    /// Decides on a state that was read.
    func decide(
        on state: RefreshFamily, _ token: RefreshToken, by key: KeyThumbprint, now: Timestamp
    ) throws -> RefreshDecision {
        try state.redeem(
            token, by: key, candidate: try #require(token.successor(keys: keys, random: random)), now: now,
            policy: policy)
    }

    /// `UPDATE … WHERE generation = … AND current_hash = … AND revoked_at IS NULL`
    mutating func swap(_ old: RefreshFamily, for new: RefreshFamily) -> Bool {
        guard row.generation == old.generation, row.currentHash == old.currentHash, row.revocation == nil else {
            return false
        }
        row = new
        writes += 1
        return true
    }

    /// Replaces the row, as an operator or another request does.
    mutating func write(_ family: RefreshFamily) { row = family }
}

/// Sends requests one after another.
@dynamicMemberLookup
final class LoneClient {
    private var fixture: RefreshFixture

    init(_ fixture: RefreshFixture) { self.fixture = fixture }

    subscript<Value>(dynamicMember path: KeyPath<RefreshFixture, Value>) -> Value { fixture[keyPath: path] }

    func decide(
        on state: RefreshFamily, _ token: RefreshToken, by key: KeyThumbprint, now: Timestamp
    ) throws -> RefreshDecision {
        try fixture.decide(on: state, token, by: key, now: now)
    }

    func swap(_ old: RefreshFamily, for new: RefreshFamily) -> Bool { fixture.swap(old, for: new) }
    func write(_ family: RefreshFamily) { fixture.write(family) }

    /// Sends one request, without concurrent ones.
    func redeem(
        _ token: RefreshToken, by key: KeyThumbprint? = nil, at now: Timestamp
    ) throws -> RefreshDecision {
        let state = fixture.row
        let decision = try decide(on: state, token, by: key ?? fixture.key, now: now)
        switch decision {
        case .rotate(let next, _), .reuse(_, let next): #expect(swap(state, for: next))
        case .repeatSuccessor, .slowDown, .expired, .revoked: break
        }
        return decision
    }

    /// Returns the token that a request gets, and fails without one.
    func token(for token: RefreshToken, at now: Timestamp) throws -> RefreshToken {
        try #require(try redeem(token, at: now).token)
    }
}

extension RefreshDecision {
    /// The answer to the client.
    var token: RefreshToken? {
        switch self {
        case .rotate(_, let token), .repeatSuccessor(let token): token
        case .slowDown, .expired, .revoked, .reuse: nil
        }
    }

    /// The answer in one word, for comparisons.
    var name: String {
        switch self {
        case .rotate: "rotate"
        case .repeatSuccessor: "repeat"
        case .slowDown: "slow down"
        case .expired(let end): "expired: \(end)"
        case .revoked(let revocation): "revoked: \(revocation.reason)"
        case .reuse(let kind, _): "reuse: \(kind)"
        }
    }
}
