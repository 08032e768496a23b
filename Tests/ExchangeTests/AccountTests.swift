import ExchangeCredentials
import Foundation
import PinnedHTTP
import Secrets
import SecureStorage
import Testing
import Time

@testable import Exchange

private let json = [HTTPHeader("Content-Type", "application/json")]

@Suite struct AccountTests {
    @Test(
        "the exchange accepts the signature, the time and the nonce of every kind of key",
        arguments: ExchangeFixture.Kind.allCases
    )
    func signatures(kind: ExchangeFixture.Kind) async throws {
        let fixture = try await ExchangeFixture(kind)
        fixture.exchange.answer(
            "/api/v3/account",
            with:
                #"{"balances":[{"asset":"BTC","free":"1.50000000","locked":"0.1"},{"asset":"ETH","free":"0.000","locked":"0"}]}"#
        )
        fixture.exchange.answer(
            "/0/private/Balance", with: #"{"ZUSD":"171288.6158000000","XXBT":"0.0000000000","KFEE":"-1.5"}"#)
        let balances = try await fixture.client.balances()
        if kind == .kraken {
            #expect(balances.assets.map(\.asset) == ["ZUSD", "KFEE"])
            #expect(balances.assets.map(\.free.description) == ["171288.6158", "1.5"])
            #expect(balances.assets.map(\.isOwed) == [false, true])
        } else {
            #expect(balances.assets.map(\.asset) == ["BTC"])
            #expect(balances.assets.first?.locked?.description == "0.1")
        }
        #expect(try await fixture.client.test(fixture.order()) == .valid)
        #expect(fixture.exchange.placed.isEmpty)
        #expect(try await fixture.keyring.record(fixture.label, at: fixture.venue)?.lastUsed != nil)
    }

    @Test("the transport may repeat no request", arguments: ExchangeFixture.Kind.allCases)
    func repetition(kind: ExchangeFixture.Kind) async throws {
        let fixture = try await ExchangeFixture(kind)
        fixture.exchange.next(.cutAfter)
        _ = try await fixture.client.place(fixture.order(), as: fixture.newID())
        _ = try await fixture.client.test(fixture.order())
        #expect(fixture.exchange.sent.count >= 4)
        #expect(fixture.exchange.sent.allSatisfy { !$0.isRepeatable })
    }

    @Test(
        "a test of an order that the exchange places after all is an error with its ids, so that it can be cancelled",
        arguments: [ExchangeFixture.Kind.binanceHMAC, .kraken])
    func placedTest(kind: ExchangeFixture.Kind) async throws {
        let fixture = try await ExchangeFixture(kind)
        fixture.exchange.answer("/0/private/AddOrder", with: #"{"txid":["OAAAAA-BBBBB-CCCCCC","not an id"]}"#)
        fixture.exchange.answer("/api/v3/order/test", with: #"{"orderId":28}"#)
        let error = await #expect(throws: ExchangeError.self) { _ = try await fixture.client.test(fixture.order()) }
        let sent = try #require(fixture.exchange.sent.last?.form)
        let id = try #require(sent[kind == .kraken ? "cl_ord_id" : "newClientOrderId"])
        #expect(error == .testPlaced(ids: [kind == .kraken ? "OAAAAA-BBBBB-CCCCCC" : "28", id]))
    }

    @Test(
        "the client follows the exchange's clock, not its own", arguments: ExchangeFixture.Kind.allCases,
        [-7_200_000, -1_500, 0, 1_500, 7_200_000] as [Int64])
    func clocks(kind: ExchangeFixture.Kind, ahead: Int64) async throws {
        let fixture = try await ExchangeFixture(kind)
        fixture.exchange.setAhead(ahead)
        #expect(try await fixture.client.test(fixture.order()) == .valid)
        let outcome = try await fixture.client.place(fixture.order(), as: fixture.newID())
        guard case .placed(_, .answer) = outcome else { Issue.record("\(outcome)"); return }
    }

    @Test("a clock that drifts is measured again once, and the query is repeated")
    func drift() async throws {
        let fixture = try await ExchangeFixture()
        _ = try await fixture.client.test(fixture.order())
        fixture.exchange.setAhead(9_000)
        #expect(try await fixture.client.test(fixture.order()) == .valid)
        #expect(fixture.exchange.sent.filter { $0.path == "/api/v3/time" }.count == 2)
        // An exchange that refuses every time is asked twice, not for ever.
        for _ in 0..<4 {
            fixture.exchange.next(
                .answerInstead(status: 400, body: #"{"code":-1021,"msg":"x"}"#, headers: json),
                at: "POST /api/v3/order/test")
        }
        await #expect(throws: ExchangeError.clock) { _ = try await fixture.client.test(fixture.order()) }
        #expect(fixture.exchange.sent.filter { $0.path == "/api/v3/order/test" }.count == 5)
    }

    @Test(
        "a wrong signature or key is reported and not retried",
        arguments: [
            (.binanceHMAC, 400, #"{"code":-1022,"msg":"Signature for this request is not valid."}"#, .signature),
            (
                .binanceHMAC, 401, #"{"code":-2015,"msg":"Invalid API-key, IP, or permissions for action."}"#,
                .keyOrAddressOrRight
            ),
            (.binanceHMAC, 401, #"{"code":-2014,"msg":"API-key format invalid."}"#, .keyForm),
            (.kraken, 200, #"{"error":["EAPI:Invalid signature"]}"#, .signature),
            (.kraken, 200, #"{"error":["EAPI:Invalid key"]}"#, .keyOrAddressOrRight),
            (.kraken, 200, #"{"error":["EAPI:Invalid nonce"]}"#, .nonce),
            (.kraken, 200, #"{"error":["EGeneral:Permission denied"]}"#, .keyOrAddressOrRight),
        ] as [(ExchangeFixture.Kind, Int, String, Refusal.Reason)])
    func refusals(kind: ExchangeFixture.Kind, status: Int, body: String, reason: Refusal.Reason) async throws {
        let fixture = try await ExchangeFixture(kind)
        let path = kind == .kraken ? "POST /0/private/Balance" : "GET /api/v3/account"
        fixture.exchange.next(.answerInstead(status: status, body: body, headers: json), at: path)
        do throws(ExchangeError) {
            _ = try await fixture.client.balances()
            Issue.record("no error")
        } catch {
            guard case .refused(let refusal) = error else { Issue.record("\(error)"); return }
            #expect(refusal.reason == reason)
        }
        #expect(fixture.exchange.sent.filter { path.hasSuffix($0.path) }.count == 1)
    }

    @Test("an entry of a balance that cannot be read is counted, and hides no other one")
    func unusualAssets() async throws {
        let binance = try await ExchangeFixture()
        binance.exchange.answer(
            "/api/v3/account",
            with: #"""
                {"balances":[{"asset":"$WIF","free":"1","locked":"0"},{"asset":"\uFF22\uFF34\uFF23","free":"2","locked":"0"},
                {"asset":"B\u202eTC","free":"1","locked":"0"},{"asset":"ETH","free":"1e5","locked":"0"},
                {"asset":"B\u202eTC","free":"0.00","locked":"0"}]}
                """#)
        let found = try await binance.client.balances()
        #expect(found.assets.map(\.asset) == ["$WIF", "ＢＴＣ"] && found.unreadable == 2)
        let kraken = try await ExchangeFixture(.kraken)
        kraken.exchange.answer("/0/private/Balance", with: #"{"$WIF":"1","B\u202e":"1","ETH":"x","OLD\u202e":"0.0"}"#)
        let other = try await kraken.client.balances()
        #expect(other.assets.map(\.asset) == ["$WIF"] && other.unreadable == 2)
    }

    @Test(
        "answers that are not the documented JSON are unclear, never a result",
        arguments: [
            ("", json), ("{", json), ("null", json), ("[]", json), (#"{"balances":1}"#, json),
            (#"{"balances":[{}]}"#, json),
            (#"{"balances":[{"asset":"BTC","free":1.5,"locked":"0"}]}"#, json),
            (#"{"balances":[],"balances":[]}"#, json), (String(repeating: "[", count: 100), json),
            (#"{"balances":[]}"#, [HTTPHeader("Content-Type", "text/html")]),
        ] as [(String, [HTTPHeader])])
    func malformed(body: String, headers: [HTTPHeader]) async throws {
        let fixture = try await ExchangeFixture()
        fixture.exchange.next(.answerInstead(status: 200, body: body, headers: headers), at: "GET /api/v3/account")
        await #expect(throws: ExchangeError.unclear(.answer)) { _ = try await fixture.client.balances() }
    }
}

@Suite struct PauseTests {
    @Test(
        "a pause of the exchange stops every client of this user, also one that starts later",
        arguments: [
            (429, [HTTPHeader("Retry-After", "30")], .rateLimit, 30_000), (429, [], .rateLimit, 60_000),
            (418, [HTTPHeader("Retry-After", "259200")], .ban, 259_200_000), (418, [], .ban, 120_000),
            (418, [HTTPHeader("Retry-After", "99999999")], .ban, 259_200_000),
            (429, [HTTPHeader("Retry-After", "0")], .rateLimit, 1_000),
            (429, [HTTPHeader("Retry-After", "-5")], .rateLimit, 60_000), (403, [], .firewall, 300_000),
        ] as [(Int, [HTTPHeader], Wait.Reason, Int64)])
    func pauses(status: Int, headers: [HTTPHeader], reason: Wait.Reason, length: Int64) async throws {
        let fixture = try await ExchangeFixture()
        fixture.exchange.next(
            .answerInstead(status: status, body: "<html>", headers: headers), at: "GET /api/v3/account")
        fixture.exchange.answer("/api/v3/account", with: #"{"balances":[]}"#)
        let wait = try await #require(waiting(fixture.client))
        #expect(wait.reason == reason)
        #expect(wait.until.milliseconds == fixture.time.now + length)
        let count = fixture.exchange.sent.count
        let other = try fixture.restarted()
        #expect(await waiting(other) == wait)
        #expect(await waiting(fixture.client) == wait)
        await #expect(throws: ExchangeError.mustWait(wait)) {
            _ = try await other.place(fixture.order(), as: fixture.newID())
        }
        await #expect(throws: ExchangeError.mustWait(wait)) { _ = try await other.serverTime() }
        #expect(fixture.exchange.sent.count == count, "a request was sent during the pause")
        fixture.time.pass(length)
        #expect(try await other.balances().assets.isEmpty)
        #expect(try await fixture.client.balances().assets.isEmpty)
    }

    private func waiting(_ client: ExchangeClient) async -> Wait? {
        do { _ = try await client.balances() } catch ExchangeError.mustWait(let wait) { return wait } catch {}
        return nil
    }

    @Test("a ban whose end is only in the message lasts until then")
    func message() async throws {
        let fixture = try await ExchangeFixture()
        let end = fixture.time.now + 1_000_000
        fixture.exchange.next(
            .answerInstead(
                status: 418,
                body: #"{"code":-1003,"msg":"Way too many requests; IP banned until \#(end). Please use"}"#,
                headers: json), at: "GET /api/v3/account")
        let wait = try await #require(waiting(fixture.client))
        #expect(wait.until.milliseconds == end + 1_000)
    }

    @Test("Kraken's temporary lockout stops the key for 15 minutes, without another attempt")
    func lockout() async throws {
        let fixture = try await ExchangeFixture(.kraken)
        fixture.exchange.next(
            .answerInstead(status: 200, body: #"{"error":["EGeneral:Temporary lockout"]}"#, headers: json),
            at: "POST /0/private/Balance")
        let wait = try await #require(waiting(fixture.client))
        #expect(wait.reason == .lockout)
        #expect(wait.until.milliseconds == fixture.time.now + 900_000)
        let count = fixture.exchange.sent.count
        #expect(await waiting(try fixture.restarted()) == wait)
        #expect(fixture.exchange.sent.count == count)
    }

    @Test("a pause that cannot be written is obeyed by this process")
    func fullDisk() async throws {
        let files = MemoryFiles()
        let fixture = try await ExchangeFixture(files: files)
        files.fail(at: 1, .full)
        fixture.exchange.next(.answerInstead(status: 418, body: "", headers: []), at: "GET /api/v3/account")
        let wait = await waiting(fixture.client)
        #expect(wait != nil)
        #expect(await waiting(fixture.client) == wait)
    }

    @Test("the weight of the headers is known, and the client stops before the exchange does")
    func weight() async throws {
        let fixture = try await ExchangeFixture()
        fixture.exchange.answer("/api/v3/account", with: #"{"balances":[]}"#)
        _ = try await fixture.client.balances()
        #expect(await fixture.client.usage.weight == 7)
        fixture.exchange.next(
            .answerInstead(
                status: 200, body: #"{"balances":[]}"#,
                headers: json + [HTTPHeader("x-mbx-used-weight-1m", "5700"), HTTPHeader("X-MBX-ORDER-COUNT-10S", "3")]),
            at: "GET /api/v3/account")
        _ = try await fixture.client.balances()
        #expect(await fixture.client.usage.orders == ["10S": 3])
        let wait = try await #require(waiting(fixture.client))
        #expect(wait.until.milliseconds % 60_000 == 0)
        fixture.time.pass(60_000)
        #expect(try await fixture.client.balances().assets.isEmpty)
    }
}

@Suite struct RevokedClientTests {
    @Test("a client of a revoked key sends nothing more, also one that was made before")
    func revoked() async throws {
        let fixture = try await ExchangeFixture(.kraken)
        fixture.exchange.answer("/0/private/Balance", with: "{}")
        _ = try await fixture.client.balances()
        try await fixture.keyring.revoke(fixture.label, at: .kraken, now: Timestamp(milliseconds: 1))
        let count = fixture.exchange.sent.count
        await #expect(throws: ExchangeError.credential(.noKey)) { _ = try await fixture.client.balances() }
        await #expect(throws: ExchangeError.credential(.noKey)) {
            _ = try await fixture.client.place(fixture.order(), as: fixture.newID())
        }
        #expect(fixture.exchange.sent.count == count)
    }

    @Test("a window outside of the limits is refused")
    func window() async throws {
        await #expect(throws: ExchangeError.invalid(.window, .tooShort(least: 4_000))) {
            _ = try await ExchangeFixture(window: Timestamp.Span(milliseconds: 3_999))
        }
        await #expect(throws: ExchangeError.invalid(.window, .tooLarge)) {
            _ = try await ExchangeFixture(window: Timestamp.Span(milliseconds: 58_001))
        }
    }
}
