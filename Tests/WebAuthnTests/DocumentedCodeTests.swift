internal import TestSupport
internal import Testing

@Suite(
    "WebAuthn: what the documentation shows", .enabled(if: Compiler.modules != nil, "the built modules were not found"))
struct DocumentedCodeTests {
    @Test("the documented example of the software authenticator compiles")
    func authenticator() throws {
        let examples = try DocumentedCode.examples(in: "Sources/WebAuthn/Authenticator/SoftwareAuthenticator.swift")
        let example = try #require(examples.first)
        #expect(examples.count == 1 && example.contains("register("))
        let errors = try Compiler.errors(
            in: """
                func registered(
                    _ options: JSON, _ origin: Origin, _ id: CredentialID, _ key: some CredentialKey
                ) throws -> RegistrationResponse {
                \(example)
                    return response
                }
                """, importing: ["Encoding", "WebAuthn"])
        #expect(errors == nil)
    }
}
