internal import Encoding
internal import TestSupport
internal import Testing

@testable internal import WebAuthn

/// A correct ceremony of `example.org`, in which tests break one part.
struct Ceremonies {
    let vector: CeremonyVector
    let relyingParty: RelyingParty
    static let user = user(1)

    static func user(_ number: UInt8) -> UserHandle {
        guard let handle = try? UserHandle([UInt8](repeating: number, count: 16)) else { preconditionFailure() }
        return handle
    }

    init(_ vector: CeremonyVector, embedding: RelyingParty.Embedding? = nil) throws {
        self.vector = vector
        let text = String(decoding: vector.registration.clientData, as: UTF8.self)
        let embedded = try RelyingParty.Embedding.allowed(in: [Origin("https://example.com")])
        relyingParty = try RelyingParty(
            id: RelyingPartyID("example.org"), name: "Example", origins: [Origin("https://example.org")],
            relatedOrigins: [], embedding: embedding ?? (text.contains(#""crossOrigin":true"#) ? embedded : .refused))
    }

    func registration(
        challenge: [UInt8]? = nil, algorithms: [COSEAlgorithm] = COSEAlgorithm.allCases,
        userVerification: UserVerification = .preferred, mediation: Mediation = .modal,
        attestation: AttestationPolicy = .vectors
    ) throws -> Registration {
        Registration(
            at: relyingParty, of: try User(handle: Self.user, name: "ada", displayName: "Ada"),
            challenge: try Challenge(challenge ?? vector.registration.challenge), algorithms: algorithms,
            userVerification: userVerification, mediation: mediation, attestation: attestation)
    }

    /// Returns the browser's answer, as text.
    func registrationResponse(
        id: [UInt8]? = nil, clientData: [UInt8]? = nil, object: [UInt8]? = nil
    ) throws -> RegistrationResponse {
        let credential = try AttestationObject(decoding: vector.registration.data).credential
        let id = Base64URL.encode(id ?? credential.id.bytes)
        return try RegistrationResponse(
            decoding: Array(
                """
                {"type": "public-key", "id": "\(id)", "rawId": "\(id)", "authenticatorAttachment": "platform",
                "clientExtensionResults": {"credProps": {"rk": true}, "other": [1]}, "response": {
                "attestationObject": "\(Base64URL.encode(object ?? vector.registration.data))",
                "clientDataJSON": "\(Base64URL.encode(clientData ?? vector.registration.clientData))",
                "transports": ["usb", "internal", "usb"], "publicKey": "not looked at"}}
                """.utf8))
    }

    func authentication(
        challenge: [UInt8]? = nil, of subject: Authentication.Subject = .whoeverAnswers,
        allowing allowed: [CredentialDescriptor] = [], userVerification: UserVerification = .preferred,
        backupEligibility: Authentication.BackupEligibilityRule = .mustStay
    ) throws -> Authentication {
        Authentication(
            at: relyingParty, challenge: try Challenge(challenge ?? vector.authentication.challenge), of: subject,
            allowing: allowed, userVerification: userVerification, backupEligibility: backupEligibility)
    }

    func authenticationResponse(
        id: [UInt8]? = nil, clientData: [UInt8]? = nil, data: [UInt8]? = nil, signature: [UInt8]? = nil,
        user: UserHandle? = user
    ) throws -> AuthenticationResponse {
        let step = vector.authentication
        let id = Base64URL.encode(try id ?? record().id.bytes)
        let handle = user.map { "\"\(Base64URL.encode($0.bytes))\"" } ?? "null"
        return try AuthenticationResponse(
            decoding: Array(
                """
                {"id": "\(id)", "rawId": "\(id)", "type": "public-key", "clientExtensionResults": {}, "response": {
                "clientDataJSON": "\(Base64URL.encode(clientData ?? step.clientData))", "userHandle": \(handle),
                "authenticatorData": "\(Base64URL.encode(data ?? step.data))",
                "signature": "\(Base64URL.encode(signature ?? step.signature))"}}
                """.utf8))
    }

    /// The record of the credential, as its registration would have made it.
    func record(
        user: UserHandle = user, signCount: UInt32? = nil, isBackupEligible: Bool? = nil
    ) throws -> CredentialRecord {
        let object = try AttestationObject(decoding: vector.registration.data)
        let data = object.authenticatorData
        return CredentialRecord(
            id: object.credential.id, user: user, publicKey: object.credential.publicKey,
            signCount: signCount ?? data.signCount,
            isUserVerificationInitialized: data.flags.contains(.userVerified), transports: [.internal, .usb],
            isBackupEligible: isBackupEligible ?? data.flags.contains(.backupEligible),
            isBackedUp: data.flags.contains(.backedUp), aaguid: object.credential.aaguid)
    }
}

extension Ceremonies {
    /// 22 November 2026.
    static let now: Int64 = 1_795_305_600_000
}

extension AttestationPolicy {
    /// A policy that accepts everything, and the vectors' exceptions.
    static let vectors = AttestationPolicy(
        formats: Set(AttestationFormat.allCases).subtracting([.unknown]),
        levels: Set(AttestationTrust.Level.allCases), rules: .vectors)
}

extension [UInt8] {
    /// Returns a text with one part replaced, which has to exist.
    func replacing(_ part: String, by other: String) -> [UInt8] {
        let text = String(decoding: self, as: UTF8.self)
        precondition(text.contains(part), "\(part) is not there")
        return Array(text.replacing(part, with: other).utf8)
    }

    /// Returns the same authenticator data with other flags.
    func flags(adding added: AuthenticatorFlags = [], removing removed: AuthenticatorFlags = []) -> [UInt8] {
        var bytes = self
        bytes[32] = AuthenticatorFlags(rawValue: bytes[32]).union(added).subtracting(removed).rawValue
        return bytes
    }

    /// Returns the same attestation object with other authenticator data.
    func changingData(_ change: ([UInt8]) -> [UInt8]) throws -> [UInt8] {
        let object = try CBOR(decoding: self)
        guard case .bytes(let data)? = object["authData"] else { preconditionFailure("no authenticator data") }
        return object.with("authData", .bytes(change(data))).encoded
    }
}
