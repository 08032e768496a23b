internal import AuthAPI
internal import AuthStore
internal import Foundation
internal import StoreTestSupport
internal import TestSupport
internal import Testing
internal import Tokens

@testable internal import AuthServer
@testable internal import AuthSettings
@testable internal import SQLStore
@testable internal import WebAuthn

/// The settings of a server that trusts one maker, and has Google's revocation list.
struct TrustingServer: Sendable {
    typealias AnchorFile = ServerConfiguration.AttestationSettings.AnchorFile

    let maker: Maker
    let folder: String

    /// - Parameter format: the format for which the maker is trusted.
    func settings(
        _ format: ServerConfiguration.AttestationSettings.AnchorFormat? = .androidKey, isRequired: Bool = false,
        revoked: [String] = []
    ) throws -> ServerConfiguration.AttestationSettings {
        let root = "\(folder)/root.pem"
        let list = "\(folder)/status-\(revoked.count).json"
        try maker.pem.write(toFile: root, atomically: false, encoding: .utf8)
        let entries = revoked.map { #""\#($0)":{"status":"REVOKED","reason":"KEY_COMPROMISE"}"# }
        try #"{"entries":{\#(entries.joined(separator: ","))}}"#
            .write(toFile: list, atomically: false, encoding: .utf8)
        return ServerConfiguration.AttestationSettings(
            isRequired: isRequired, anchors: format.map { [AnchorFile(format: $0, path: root)] } ?? [],
            metadataPath: nil, metadataRootPath: nil, androidRevocationPath: list)
    }

    /// Runs a server that trusts a maker for one format; nil for none.
    static func with(
        _ store: StoreUnderTest = .sqlite,
        _ format: ServerConfiguration.AttestationSettings.AnchorFormat? = .androidKey, isRequired: Bool = false,
        revoked: [String] = [], _ body: @escaping @Sendable (TestServer, TrustingServer) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let trusting = TrustingServer(maker: try Maker(), folder: folder.path)
        try await TestServer.with(
            store,
            changing: { $0.attestation = try trusting.settings(format, isRequired: isRequired, revoked: revoked) }
        ) { try await body($0, trusting) }
    }
}

extension Device {
    /// Makes an account with a passkey that a maker attests.
    @discardableResult
    func signUp(
        with keys: Authenticator, by maker: Maker, as format: Maker.Format = .android(level: 1)
    ) async throws -> RegistrationAnswer {
        let made = try keys.register(await signUpOptions())
        return try await register(
            maker.attest(made, of: try #require(keys.passkeys.last).key, as: format).response, accountName: "Ada")
    }
}

extension TestServer {
    /// The claims about the device in an access token.
    func context(of device: Device) async throws -> AuthenticationContext {
        try server.keys.verifier(issuer: TestServer.origin).verify(device.accessToken, now: clock.now).token
            .authentication
    }

    func passkeys() async throws -> [PasskeyRow] {
        try await database.read { try Passkeys.page(after: [], limit: 100, sealer: sealer, in: $0) }
    }
}
