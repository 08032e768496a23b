internal import AuthStore
internal import SQLStore
internal import StoreTestSupport

extension StoreUnderTest {
    /// Opens a database with the empty tables of the auth server, and closes it afterwards.
    func with<Result>(_ body: (any Database) async throws -> Result) async throws -> Result {
        try await with(AuthTables.migrations, body)
    }
}
