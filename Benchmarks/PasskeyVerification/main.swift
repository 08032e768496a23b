// Measures how many passkey authentications one core verifies: from the request's body and the record's bytes, and the
// ceremony alone. For comparison it measures Swift Crypto's time for the one signature in it. Prints one line of JSON.
//
//   PasskeyVerification [COUNT]

internal import Crypto
internal import Encoding
internal import Foundation
internal import Secrets
internal import WebAuthn

let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 5_000

let relyingParty = try RelyingParty(
    id: RelyingPartyID("example.org"), name: "Example", origins: [Origin("https://example.org")], relatedOrigins: [],
    embedding: .refused)
let user = try UserHandle(SystemRandom().publicBytes(count: 16))
let id = try CredentialID(SystemRandom().publicBytes(count: 32))
let key = P256.Signing.PrivateKey()
let authentication = Authentication(
    at: relyingParty, challenge: Challenge(from: SystemRandom()), of: .whoeverAnswers, allowing: [],
    userVerification: .required, backupEligibility: .mustStay)

let response = try SoftwareAuthenticator(aaguid: .zero, backup: .backedUp).authenticate(
    authentication.options(), from: Origin("https://example.org"), as: id, of: user, with: key, signCount: 0,
    consent: .verified)
let body = response.json.encoded
let stored = COSEKey(key.publicKey).encoded

func record() throws -> CredentialRecord {
    CredentialRecord(
        id: id, user: user, publicKey: try COSEKey(decoding: stored), signCount: 0, isUserVerificationInitialized: true,
        transports: [.internal], isBackupEligible: true, isBackedUp: true, aaguid: .zero)
}

/// Returns the CPU seconds of one call: the best of five rounds, so that other programs disturb the result least.
func seconds(_ body: () throws -> Void) rethrows -> Double {
    var best = Double.infinity
    for _ in 0..<5 {
        let start = clock()
        for _ in 0..<count { try body() }
        best = min(best, Double(clock() - start) / Double(CLOCKS_PER_SEC) / Double(count))
    }
    return best
}

let signed = response.authenticatorData.bytes + response.clientData.hash
let point = key.publicKey.rawRepresentation
let signature = try seconds {
    let key = try P256.Signing.PublicKey(rawRepresentation: point)
    let signature = try P256.Signing.ECDSASignature(derRepresentation: response.signature)
    precondition(key.isValidSignature(signature, for: signed), "the signature is not right")
}
let held = try record()
let ceremony = try seconds { _ = try authentication.verify(response, with: held) }
let all = try seconds { _ = try authentication.verify(AuthenticationResponse(decoding: body), with: record()) }

print(
    String(
        format: """
            {"signatures_per_second": %.0f, "ceremonies_per_second": %.0f, "requests_per_second": %.0f, \
            "of_signature": %.3f}
            """, 1 / signature, 1 / ceremony, 1 / all, all / signature))
