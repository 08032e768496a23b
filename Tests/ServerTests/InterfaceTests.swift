internal import Crypto
internal import Encoding
internal import Secrets
internal import ServerHTTP
internal import TestSupport
internal import Testing
internal import Tokens

extension ServerTests {
    @Suite(
        "The interface", .enabled(if: Peer.schemathesis.isExpected, Comment(rawValue: Peer.schemathesis.absence)))
    struct Interface {
        @Test(
            "is as its document says: to requests good and bad, with a session and without, as schemathesis makes them")
        func document() async throws {
            let folder = try TemporaryFolder()
            let hash = Hex.encode(Array(SHA256.hash(data: Array("an open secret".utf8))))
            let server = try await RunningServer(
                home: "\(folder.path)/home",
                RunningServer.unlimited.merging(["INTROSPECTION_CLIENTS": "ledger:\(hash)"]) { _, own in own })
            let device = Device(at: server.url, with: try Passkey())
            let token = try #require(try await device.signUp().accessToken)
            let key = device.key.exported().withUnsafeBytes { Hex.encode(Array($0)) }
            let peers = "\(Repository.path)/scripts/peers"
            let environment = [
                "FUEKI_URL": server.url, "FUEKI_ACCESS_TOKEN": token, "FUEKI_DEVICE_KEY": key,
                "FUEKI_CLIENT": "ledger:an open secret",
                "SCHEMATHESIS_HOOKS": "proofs", "PYTHONPATH": peers, "PYTHONDONTWRITEBYTECODE": "1",
            ]
            // One check is left out, which sends another session's header: the hook replaces it by the right one.
            // The requests are the same each time, so that findings can be reproduced.
            let program = try Companion(
                "/bin/sh",
                [
                    // It writes notes into its working directory.
                    "-c", #"cd "$0" && exec "$@""#, folder.path,
                    "\(Repository.path)/.build/peers-schemathesis/bin/schemathesis",
                    "--config-file", "\(peers)/schemathesis.toml", "run", "\(server.url)/openapi.json",
                    "--checks", "all", "--exclude-checks", "ignored_auth", "--phases", "examples,coverage,fuzzing",
                    "--max-examples", "25", "--seed", "1",
                    "--generation-database", "none", "--no-color",
                ],
                environment: environment)
            let status = try await program.end()
            #expect(status == 0, "\(program.output.prefix(8_000))")
            #expect(program.output.contains("Selected: 36/36"), "not every operation was tried")
            // The session has brought it further than the proof.
            for series in [
                #"method="GET",path="/api/auth/session",status="200""#,
                #"method="POST",path="/api/auth/recovery/codes",status="200""#,
                #"method="GET",path="/api/account/export",status="200""#,
                #"method="GET",path="/api/account/events",status="200""#,
                #"method="POST",path="/api/auth/passkey/register",status="400""#,
                #"method="POST",path="/api/auth/token/introspect",status="200""#,
            ] {
                #expect(try await server.metric("fuekid_requests_total{\(series)}") > 0, "\(series)")
            }
            #expect(try await server.stop() == 0)
        }
    }
}
