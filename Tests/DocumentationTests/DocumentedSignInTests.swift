import AuthAPI
import Crypto
import Encoding
import Foundation
import HDKeys
import Nodes
import PinnedHTTP
import Secrets
import Testing
import Time
import Tokens
import WebAuthn

@Suite("Documentation: passkeys, tokens and nodes")
struct DocumentedSignInTests {
    @Test("a passkey is registered, and signs in")
    func passkey() throws {
        let random = SystemRandom()
        let now: Int64 = 1_800_000_000_000
        let authenticator = SoftwareAuthenticator(aaguid: .zero, backup: .notEligible)
        let key = P256.Signing.PrivateKey()
        let id = try CredentialID(random.publicBytes(count: 16))
        // snippet
        let origin = try Origin("https://login.example.org")
        let relyingParty = try RelyingParty(
            id: RelyingPartyID("example.org"), name: "Example", origins: [origin], relatedOrigins: [],
            embedding: .refused)
        let user = try User(
            handle: UserHandle(random.publicBytes(count: 16)), name: "ada", displayName: "Ada Lovelace")
        let registration = Registration(
            at: relyingParty, of: user, challenge: Challenge(from: random), algorithms: [.es256],
            userVerification: .required, mediation: .modal, attestation: .anything)
        let options = registration.options(excluding: [], residentKey: .required, attestation: .none)
        let optionsForPage = options.json.encoded
        // end
        let registered = try authenticator.register(
            CreationOptions(json: JSON(decoding: optionsForPage)), from: origin, as: id, with: key, having: [],
            signCount: 0, consent: .verified)
        let answer = registered.json.encoded
        var taken: [CredentialID] = []
        // snippet
        let verified = try registration.verify(RegistrationResponse(decoding: answer), at: now)
        guard case .free(let record) = verified.claim(isTaken: { taken.contains($0) }) else { return }
        taken.append(record.id)
        // end
        // snippet
        let authentication = Authentication(
            at: relyingParty, challenge: Challenge(from: random), of: .whoeverAnswers, allowing: [],
            userVerification: .required, backupEligibility: .mustStay)
        let requestForPage = authentication.options().json.encoded
        // end
        let signedIn = try authenticator.authenticate(
            RequestOptions(json: JSON(decoding: requestForPage)), from: origin, as: id, of: user.handle, with: key,
            signCount: 0, consent: .verified
        ).json.encoded
        // snippet
        let response = try AuthenticationResponse(decoding: signedIn)
        let signIn = try authentication.verify(response, with: record)
        // end
        #expect(signIn.record.user == user.handle)
    }

    @Test("an access token is issued and verified")
    func token() throws {
        let random = SystemRandom()
        let now = Timestamp(milliseconds: 1_800_000_000_000)
        let account = try #require(AccountID(bytes: [UInt8](repeating: 1, count: 16)))
        let session = try #require(SessionID(bytes: [UInt8](repeating: 2, count: 16)))
        let device = SigningKey(from: random)
        // snippet
        let key = SigningKey(from: random)
        let token = AccessToken(
            issuer: "https://auth.example.org", audience: "https://api.example.org", client: "app", account: account,
            session: session, device: device.publicKey.thumbprint,
            authentication: AuthenticationContext(
                .init(userPresent: true, userVerified: true, backupEligible: false, keyStorage: .unknown), at: now),
            scope: try Scope("session"), now: now, lifetime: AccessToken.lifetime, random: random)
        let text = token.signed(by: key)
        // end
        // snippet
        let verifier = AccessToken.Verifier(
            issuer: "https://auth.example.org", audience: "https://api.example.org",
            keys: try VerificationKeys(current: key.publicKey, next: [], retired: []), leeway: .seconds(5))
        let verified = try verifier.verify(text, now: now)
        // end
        #expect(verified.token == token)
    }

    @Test("a client reads a problem")
    func problem() throws {
        let status = 400
        let body = Problem(.invalidGrant).json.encoded
        // snippet
        switch ErrorAnswer(status: status, body: try? JSON(decoding: body)) {
        case .problem(let problem):
            switch problem.code {
            case .invalidGrant: print("sign in again")
            case .rateLimited: print("try again in \(problem.retryAfter ?? 60) seconds")
            default: print("refused: \(problem.code.rawValue)")
            }
        case .other(let status): print("not a refusal by this server: status \(status)")
        }
        // end
        #expect(ErrorAnswer(status: status, body: try JSON(decoding: body)) == .problem(Problem(.invalidGrant)))
    }

    // snippet
    func highestBlock(pins: [Pin]) async throws(NodeError) -> UInt32 {
        let address = try NodeAddress("https://node.example")
        let connection = NodeConnection(
            pins: try NodeConnection.pins(pins, of: address), roots: .system, proxy: nil, unencryptedHosts: [])
        let client = try connection.client(to: address, userAgent: "example/1.0") {
            UInt64(Date().timeIntervalSince1970)
        }
        let node = try await BitcoinNode(
            at: address, on: .mainnet, over: client, NodeRetryPolicy(clock: ContinuousClock()))
        return try await node.height()
    }
    // end
}
