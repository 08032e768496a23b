internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import TestSupport
internal import Testing

extension ServerTests {
    @Suite("Behind a proxy")
    struct BehindProxy {
        /// Returns the status of an answer to a request with these headers.
        private func status(
            _ server: RunningServer, _ path: String, _ headers: [(String, String)] = []
        ) async throws -> UInt {
            var request = try HTTPClient.Request(url: "\(server.url)\(path)")
            for (name, value) in headers { request.headers.add(name: name, value: value) }
            return try await HTTPClient.shared.execute(request: request).get().status.code
        }

        @Test("the server answers requests through its proxy that name a client, and the proxy's probes")
        func proxy() async throws {
            let folder = try TemporaryFolder()
            let settings = ["PUBLIC_URL": "https://auth.example.org"]
            let server = try await RunningServer(
                home: "\(folder.path)/home", settings.merging(["PROXY_ADDRESSES": "127.0.0.1"]) { $1 })
            let client = [("X-Forwarded-For", "198.51.100.1"), ("X-Forwarded-For", "203.0.113.7")]
            #expect(try await status(server, "/", client) == 200)
            #expect(try await status(server, "/metrics", client) == 404)
            #expect(try await status(server, "/") == 400)
            #expect(try await status(server, "/metrics") == 400)
            #expect(try await status(server, "/metrics", [("X-Forwarded-For", "127.0.0.1")]) == 400)
            #expect(try await status(server, "/healthz") == 200)
            #expect(try await server.stop() == 0)

            let other = try await RunningServer(
                home: "\(folder.path)/home", settings.merging(["PROXY_ADDRESSES": "192.0.2.9"]) { $1 })
            #expect(try await status(other, "/", client) == 403)
            #expect(try await status(other, "/healthz", client) == 200)
            #expect(try await status(other, "/metrics", client) == 403)
            #expect(try await other.stop() == 0)
        }
    }
}
