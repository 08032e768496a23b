internal import TestSupport
internal import Testing

@Suite("The store in memory", .enabled(if: Compiler.modules != nil, "the built modules were not found"))
struct DeprecationTests {
    @Test("using it outside of a test gives a warning; using the vault file does not")
    func deprecated() throws {
        let strict = ["-warnings-as-errors"]
        let warning = try #require(
            try Compiler.errors(
                in: "func store() -> any SecretStore { InMemoryStore() }", importing: ["SecureStorage"],
                options: strict))
        #expect(warning.contains("keeps nothing beyond this process"))
        let control = try Compiler.errors(
            in: "func store(_ file: VaultFile) -> any SecretStore { file }", importing: ["SecureStorage"],
            options: strict)
        #expect(control == nil)
    }
}
