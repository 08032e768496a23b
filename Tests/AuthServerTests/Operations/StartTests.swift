internal import AuthSettings
internal import SQLStore
internal import Secrets
internal import TestSupport
internal import Testing

@testable internal import AuthServer
@testable internal import AuthServerTestSupport

@Suite("A start")
struct StartTests {
    @Test("is told in the log if it makes the store, and only then")
    func newStore() async throws {
        func passphrase() -> SecretBytes {
            var bytes = Array("eleven blue anchors".utf8)
            return SecretBytes(moving: &bytes)
        }
        let folder = try TemporaryFolder()
        let home = ServerHome(path: folder.path)
        try await home.makeVault(passphrase: passphrase())
        for isFirst in [true, false] {
            let log = RecordingLog()
            try await AuthServer(
                TestServer.configuration(), home: home, passphrase: passphrase(), logger: log.logger
            ).database.close()
            #expect(log.text.contains("info made a new store [\"file\": \(folder.path)/") == isFirst, "\(log.text)")
        }
    }
}
