internal import AuthAPI
internal import AuthSettings
internal import SQLStore
internal import Secrets
internal import StoreTestSupport
internal import Testing

@testable internal import AuthOperations
@testable internal import AuthServer
@testable internal import AuthServerTestSupport

@Suite("Sessions that the operator ends")
struct RevocationTests {
    @Test("an order to end sessions under a wrong master key changes nothing", arguments: StoreUnderTest.expected)
    func orderUnderOtherMasterKey(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let (phone, keys) = (server.device(), server.authenticator())
            let account = try #require(try await phone.signUp(with: keys).tokens).account
            let before = try await TableDump.all(in: server)
            for number: UInt32 in [1, 2] {
                let other = ColumnSealer(key: sealingKey(8), number: number, random: SystemRandom())
                await #expect(throws: StartupError.otherMasterKey) {
                    _ = try await Revocation.end(of: account, in: server.operatorStore(sealer: other))
                }
            }
            #expect(try await TableDump.all(in: server) == before)
            #expect(try await Revocation.end(of: account, in: server.operatorStore()) == 1)
        }
    }
}
