internal import TestSupport
internal import Testing

@Suite("The store in memory", .enabled(if: Compiler.modules != nil, "the built modules were not found"))
struct DeprecationTests {
    @Test("whoever uses it outside of a test is warned; the vault file is not warned of")
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
