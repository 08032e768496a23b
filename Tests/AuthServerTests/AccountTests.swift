internal import AuthAPI
internal import AuthStore
internal import Crypto
internal import Encoding
internal import HTTPTypes
internal import StoreTestSupport
internal import Testing
internal import Time
internal import Tokens
internal import WebAuthn

@testable internal import AuthServer
@testable internal import AuthServerTestSupport
@testable internal import SQLStore

/// An account's data: its owner exports them, and they are gone after an erasure.
@Suite("Export and erasure")
struct AccountTests {
    @Test("an export has all data of the account, and nothing that gives access", arguments: StoreUnderTest.expected)
    func export(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let (phone, keys) = (server.device(), server.authenticator())
            let codes = try await phone.signUp(with: keys, name: "Ada", deviceName: "Phone").recoveryCodes ?? []
            try await phone.refresh()
            let export = try await phone.call(.get, "/api/account/export")
            #expect(export["account_name"] == "Ada")
            #expect(export["account_id"]?.string == phone.tokens?.account.description)
            #expect(export["passkeys"]?.array?.first?["passkey_id"]?.string == (try keys.newest))
            #expect(export["devices"]?.array?.first?["name"] == "Phone")
            #expect(export["sessions"]?.array?.first?["refreshed"] == 1)
            #expect(export["recovery_codes_left"] == 10)
            let kinds = export["security_events"]?.array?.compactMap { $0["kind"]?.string }
            #expect(Set(kinds ?? []) == ["account_created", "passkey_added", "device_added", "account_exported"])
            let address = export["security_events"]?.array?.first?["details"]?["address"]
            #expect(address?.string == TestServer.peer)

            // No token or hash of a token, in any encoding.
            let text = export.text
            let row = try #require(
                try await server.database.read {
                    try $0.first("SELECT current_hash, recent FROM refresh_tokens", [])
                })
            for secret in [try row.bytes(0), try row.bytes(1)] {
                #expect(!text.contains(Base64URL.encode(secret)))
                #expect(!text.contains(Hex.encode(secret)))
            }
            for secret in phone.secrets.union(codes) { #expect(!text.contains(secret)) }
        }
    }

    @Test("an erasure removes the account from every table", arguments: StoreUnderTest.expected)
    func erasure(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let (bystander, phone, laptop) = (server.device(), server.device(), server.device())
            let (bystandersKeys, keys, others) = (
                server.authenticator(), server.authenticator(), server.authenticator()
            )
            try await bystander.signUp(with: bystandersKeys, name: "Bystander")
            // Every table has a row of the account.
            try await phone.signUp(with: keys, name: "Ada")
            try await phone.addPasskey(with: others)
            try await laptop.signIn(with: keys)
            try await phone.refresh()
            try await phone.attest()
            let account = try #require(phone.tokens).account
            let before = try await TableDump.lasting(in: server)
            #expect(before.bytes.contains(account.bytes))

            let answer = try await phone.call(.delete, "/api/account")
            #expect(answer["erased_at"] == JSON(server.clock.now.seconds))
            #expect((answer["kept"]?.array ?? []).count == AccountRecords.kept.count)

            let dump = try await TableDump.all(in: server)
            let bytes = dump.bytes
            let marks =
                [account.bytes, phone.thumbprint.bytes, laptop.thumbprint.bytes]
                + [phone, laptop].compactMap { $0.tokens?.session.bytes }
                + [phone, laptop].compactMap { $0.tokens?.device.bytes }
                + (keys.passkeys + others.passkeys).flatMap {
                    [$0.id.bytes, Array($0.key.publicKey.rawRepresentation)]
                }
            for mark in marks { #expect(!bytes.contains(mark)) }
            // The other account has one row in each table.
            for table in ["accounts", "fido_credentials", "devices", "refresh_tokens"] {
                #expect(dump.rows[table]?.count == 1, "\(table)")
            }
            #expect(dump.rows["recovery_codes"]?.count == 10)
            #expect(dump.rows["device_attestations"]?.isEmpty == true)
            // That an event happened stays; its account and details do not.
            let linked = try await server.database.read {
                try $0.run(
                    "SELECT kind FROM security_events WHERE account_id IS NOT NULL OR details_sealed IS NOT NULL", [])
            }
            #expect(try await server.events()["account_erased"] == 1)
            #expect(linked.count <= 4, "the bystander's three, and the erasure itself")

            #expect(try await !phone.isSignedIn())
            #expect(try await !laptop.isSignedIn())
            await #expect(throws: Problem(.invalidGrant)) { try await laptop.refresh() }
            await #expect(throws: Problem(.passkeyRefused)) { try await server.device().signIn(with: keys) }
            #expect(try await bystander.isSignedIn())
        }
    }
}
