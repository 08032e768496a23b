internal import AuthAPI
internal import AuthSettings
internal import AuthStore
internal import Encoding
internal import HTTPTypes
internal import Secrets
internal import ServerHTTP
internal import StoreTestSupport
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import AuthServer
@testable internal import AuthServerTestSupport
@testable internal import SQLStore

@Suite("Recovery codes")
struct RecoveryCodeTests {
    /// A code of the old form, and the row that the server kept of it.
    private struct Old {
        let text: String
        let row: RecoveryCodeRow

        init(of account: AccountID, _ random: SeededRandom) throws {
            let selector = random.publicBytes(count: 5)
            let secret = random.publicBytes(count: 10)
            let salt = random.publicBytes(count: 16)
            text = CrockfordBase32.encode(selector + secret, groups: 6)
            row = RecoveryCodeRow(
                selector: selector, account: account, salt: salt,
                hash: try OldRecoveryCode.hash(secret: secret, salt: salt), createdAt: now)
        }
    }

    @Test("codes have 112 secret bits in eight groups of four characters, and are parsed as people type them")
    func form() throws {
        let random = SeededRandom(seed: 3)
        for _ in 0..<200 {
            let code = RecoveryCode(random: random)
            #expect(code.secret.count == 14)
            let text = code.text
            #expect(text.wholeMatch(of: /([0-9A-HJKMNP-TV-Z]{4}-){7}[0-9A-HJKMNP-TV-Z]{4}/) != nil, "\(text)")
            let typed = [
                text, text.lowercased(), text.replacing("-", with: ""), text.replacing("-", with: "  "),
                text.replacing("0", with: "o").replacing("1", with: "l"), text.replacing("1", with: "I"),
            ]
            for variant in typed {
                let read = try #require(RecoveryCode(variant), "\(variant)")
                #expect(read.selector == code.selector)
                #expect(read.secret == code.secret)
                #expect(!read.isCostly)
            }
        }
    }

    @Test("nearly every typing mistake is found before a look-up")
    func mistakes() throws {
        let random = SeededRandom(seed: 4)
        let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
        var (tried, found) = (0, 0)
        for _ in 0..<100 {
            let text = Array(RecoveryCode(random: random).text.replacing("-", with: ""))
            for place in text.indices {
                var wrong = text
                wrong[place] = alphabet[random.below(32)]
                guard wrong != text else { continue }
                tried += 1
                if RecoveryCode(String(wrong)) == nil { found += 1 }
                if place > 0, text[place] != text[place - 1] {
                    wrong = text
                    wrong.swapAt(place, place - 1)
                    tried += 1
                    if RecoveryCode(String(wrong)) == nil { found += 1 }
                }
            }
        }
        #expect(tried > 5_000)
        // 255 of 256 are expected.
        #expect(Double(found) / Double(tried) > 0.985)
        for text in ["", "-", "x", String(repeating: "0", count: 31), String(repeating: "0", count: 33), "é", "U"] {
            #expect(RecoveryCode(text) == nil, "\(text)")
        }
    }

    @Test("golden: the text and the hash of a code, computed by Python")
    func golden() async throws {
        let bytes = (0..<19).map { UInt8($0) }
        let text = TypedCode.text(of: bytes, .recovery)
        #expect(text == "000G-40R4-0M30-E209-185G-R38E-1W81-24G4")
        let code = try #require(RecoveryCode(text))
        let hash = try await code.hash(salt: (100..<116).map { UInt8($0) }, old: RecoveryHashing())
        #expect(Hex.encode(hash) == "2034765976e84ab5ce82df283c0c5573f35064fbf51a843ac273b7c259c462f9")
        #expect(TypedCode.text(of: bytes, .invitation) == "000G-40R4-0M30-E209-185G-R38E-1W81-24PG")
    }

    @Test("a sign-up makes ten codes without one slow hash")
    func signUp() async throws {
        let hashed = Mutex(0)
        let hashing = RecoveryHashing { _, _ in
            hashed.withLock { $0 += 1 }
            return []
        }
        for _ in 0..<10 {
            _ = try await RecoveryCode(random: SeededRandom(seed: 1)).hash(salt: bytes(0, 16), old: hashing)
        }
        #expect(hashed.withLock { $0 } == 0)
        let old = try #require(RecoveryCode(CrockfordBase32.encode(bytes(1, 15), groups: 6)))
        #expect(old.isCostly)
        _ = try await old.hash(salt: bytes(0, 16), old: hashing)
        #expect(hashed.withLock { $0 } == 1)
    }

    @Test("codes of the old form are valid until they are used or replaced", arguments: StoreUnderTest.expected)
    func old(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let phone = server.device()
            let account = try #require(try await phone.signUp(with: server.authenticator()).tokens).account
            let codes = try (0..<3).map { _ in try Old(of: account, server.random()) }
            let add = { () async throws in
                try await server.database.write { transaction in
                    try RecoveryCodes.replaceAll(of: account, with: codes.map(\.row), in: transaction)
                }
            }
            try await add()
            let fresh = server.device()
            #expect(try await fresh.recover(codes[0].text, with: server.authenticator()).tokens?.account == account)
            let again = Problem(.recoveryRefused)
            await #expect(throws: again) { try await server.device().recoveryOptions(codes[0].text) }
            // A wrong code, and one without an account.
            let wrong = codes[1].text.dropLast() + (codes[1].text.hasSuffix("0") ? "1" : "0")
            await #expect(throws: again) { try await server.device().recoveryOptions(String(wrong)) }
            let nobodys = try Old(of: account, server.random()).text
            await #expect(throws: again) { try await server.device().recoveryOptions(nobodys) }
            // A code of the other form with the same selector is refused.
            let mixed = TypedCode.text(of: codes[1].row.selector + bytes(0, 14), .recovery)
            await #expect(throws: again) { try await server.device().recoveryOptions(mixed) }
            try await fresh.call(.post, "/api/auth/recovery/codes")
            await #expect(throws: again) { try await server.device().recoveryOptions(codes[2].text) }
        }
    }

    @Test("codes of the old form are counted before they are hashed")
    func oldLimit() async throws {
        let limit = ServerConfiguration.LimitSettings.Bucket(burst: 2, perMinute: 1)
        try await TestServer.with(changing: { $0.limits.recovery = limit }) { server in
            let account = try #require(try await server.device().signUp(with: server.authenticator()).tokens).account
            for _ in 0..<2 {
                let guess = try Old(of: account, server.random()).text
                await #expect(throws: Problem(.recoveryRefused)) { try await server.device().recoveryOptions(guess) }
            }
            let guess = try Old(of: account, server.random()).text
            await #expect(throws: Problem(.rateLimited, retryAfter: 60)) {
                try await server.device().recoveryOptions(guess)
            }
        }
    }

    @Test("codes of the old form are hashed one at a time, and the number of waiting ones is limited")
    func queue() async throws {
        let none = RecoveryHashing(longest: 0) { secret, _ in secret }
        await #expect(throws: Problem(.unavailable, retryAfter: 1)) { try await none.hash([1], salt: []) }

        let state = Mutex((running: 0, most: 0))
        let hashing = RecoveryHashing(longest: 4) { secret, _ in
            state.withLock { state in
                state.running += 1
                state.most = max(state.most, state.running)
            }
            defer { state.withLock { $0.running -= 1 } }
            return secret
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
                group.addTask {
                    let hash = try await hashing.hash([UInt8(number)], salt: [])
                    #expect(hash == [UInt8(number)])
                }
            }
            try await group.waitForAll()
        }
        #expect(state.withLock { $0.most } == 1, "one at a time")
        // A hash that is done or has failed makes room.
        #expect(!hashing.isFull)
        let single = Box()
        let one = RecoveryHashing(longest: 1) { _, _ in
            #expect(single.hashing.withLock { $0 }?.isFull == true)
            throw StoreError.damaged
        }
        single.hashing.withLock { $0 = one }
        for _ in 0..<3 { await #expect(throws: StoreError.damaged) { try await one.hash([1], salt: []) } }
        #expect(!one.isFull)
    }

    /// The state of a hash function while it runs.
    private final class Box: Sendable {
        let hashing = Mutex<RecoveryHashing?>(nil)
    }
}
