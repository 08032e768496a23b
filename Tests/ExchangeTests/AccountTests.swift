import Foundation
import PinnedHTTP
import Secrets
import SecureStorage
import Testing

@testable import Exchange

private let json = [HTTPHeader("Content-Type", "application/json")]

@Suite struct AccountTests {
    @Test(
        "the exchange accepts the signature, the time and the nonce of every kind of key", arguments: Desk.Kind.allCases
    )
    func signatures(kind: Desk.Kind) async throws {
        let desk = try await Desk(kind)
        desk.exchange.answer(
            "/api/v3/account",
            with:
                #"{"balances":[{"asset":"BTC","free":"1.50000000","locked":"0.1"},{"asset":"ETH","free":"0.000","locked":"0"}]}"#
        )
        desk.exchange.answer(
            "/0/private/Balance", with: #"{"ZUSD":"171288.6158000000","XXBT":"0.0000000000","KFEE":"-1.5"}"#)
        let balances = try await desk.client.balances()
        if kind == .kraken {
            #expect(balances.assets.map(\.asset) == ["ZUSD", "KFEE"])
            #expect(balances.assets.map(\.free.description) == ["171288.6158", "1.5"])
            #expect(balances.assets.map(\.isOwed) == [false, true])
        } else {
            #expect(balances.assets.map(\.asset) == ["BTC"])
            #expect(balances.assets.first?.locked?.description == "0.1")
        }
        #expect(try await desk.client.test(desk.order()) == .valid)
        #expect(desk.exchange.placed.isEmpty)
        #expect(try await desk.keyring.record(desk.label, at: desk.venue)?.lastUsed != nil)
    }

    @Test("the transport may repeat no request", arguments: Desk.Kind.allCases)
    func repetition(kind: Desk.Kind) async throws {
        let desk = try await Desk(kind)
        desk.exchange.next(.cutAfter)
        _ = try await desk.client.place(desk.order(), as: desk.newID())
        _ = try await desk.client.test(desk.order())
        #expect(desk.exchange.sent.count >= 4)
        #expect(desk.exchange.sent.allSatisfy { !$0.isRepeatable })
    }

    @Test(
        "a test of an order that the exchange places after all is an error with its ids, so that it can be cancelled",
        arguments: [Desk.Kind.binanceHMAC, .kraken])
    func placedTest(kind: Desk.Kind) async throws {
        let desk = try await Desk(kind)
        desk.exchange.answer("/0/private/AddOrder", with: #"{"txid":["OAAAAA-BBBBB-CCCCCC","not an id"]}"#)
        desk.exchange.answer("/api/v3/order/test", with: #"{"orderId":28}"#)
        let error = await #expect(throws: ExchangeError.self) { _ = try await desk.client.test(desk.order()) }
        let sent = try #require(desk.exchange.sent.last?.form)
        let id = try #require(sent[kind == .kraken ? "cl_ord_id" : "newClientOrderId"])
        #expect(error == .testPlaced(ids: [kind == .kraken ? "OAAAAA-BBBBB-CCCCCC" : "28", id]))
    }

    @Test(
        "the client follows the exchange's clock, not its own", arguments: Desk.Kind.allCases,
        [-7_200_000, -1_500, 0, 1_500, 7_200_000] as [Int64])
    func clocks(kind: Desk.Kind, ahead: Int64) async throws {
        let desk = try await Desk(kind)
        desk.exchange.setAhead(ahead)
        #expect(try await desk.client.test(desk.order()) == .valid)
        let outcome = try await desk.client.place(desk.order(), as: desk.newID())
        guard case .placed(_, .answer) = outcome else { Issue.record("\(outcome)"); return }
    }

    @Test("a clock that drifts is measured again once, and the query is repeated")
    func drift() async throws {
        let desk = try await Desk()
        _ = try await desk.client.test(desk.order())
        desk.exchange.setAhead(9_000)
        #expect(try await desk.client.test(desk.order()) == .valid)
        #expect(desk.exchange.sent.filter { $0.path == "/api/v3/time" }.count == 2)
        // An exchange that refuses every time is asked twice, not for ever.
        for _ in 0..<4 {
            desk.exchange.next(
                .answerInstead(status: 400, body: #"{"code":-1021,"msg":"x"}"#, headers: json),
                at: "POST /api/v3/order/test")
        }
        await #expect(throws: ExchangeError.clock) { _ = try await desk.client.test(desk.order()) }
        #expect(desk.exchange.sent.filter { $0.path == "/api/v3/order/test" }.count == 5)
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
        ] as [(Desk.Kind, Int, String, Refusal.Reason)])
    func refusals(kind: Desk.Kind, status: Int, body: String, reason: Refusal.Reason) async throws {
        let desk = try await Desk(kind)
        let path = kind == .kraken ? "POST /0/private/Balance" : "GET /api/v3/account"
        desk.exchange.next(.answerInstead(status: status, body: body, headers: json), at: path)
        do throws(ExchangeError) {
            _ = try await desk.client.balances()
            Issue.record("no error")
        } catch {
            guard case .refused(let refusal) = error else { Issue.record("\(error)"); return }
            #expect(refusal.reason == reason)
        }
        #expect(desk.exchange.sent.filter { path.hasSuffix($0.path) }.count == 1)
    }

    @Test("an entry of a balance that cannot be read is counted, and hides no other one")
    func unusualAssets() async throws {
        let binance = try await Desk()
        binance.exchange.answer(
            "/api/v3/account",
            with: #"""
                {"balances":[{"asset":"$WIF","free":"1","locked":"0"},{"asset":"\uFF22\uFF34\uFF23","free":"2","locked":"0"},
                {"asset":"B\u202eTC","free":"1","locked":"0"},{"asset":"ETH","free":"1e5","locked":"0"},
                {"asset":"B\u202eTC","free":"0.00","locked":"0"}]}
                """#)
        let found = try await binance.client.balances()
        #expect(found.assets.map(\.asset) == ["$WIF", "ＢＴＣ"] && found.unreadable == 2)
        let kraken = try await Desk(.kraken)
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
        let desk = try await Desk()
        desk.exchange.next(.answerInstead(status: 200, body: body, headers: headers), at: "GET /api/v3/account")
        await #expect(throws: ExchangeError.unclear(.answer)) { _ = try await desk.client.balances() }
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
        ] as [(Int, [HTTPHeader], Wait.Reason, UInt64)])
    func pauses(status: Int, headers: [HTTPHeader], reason: Wait.Reason, length: UInt64) async throws {
        let desk = try await Desk()
        desk.exchange.next(.answerInstead(status: status, body: "<html>", headers: headers), at: "GET /api/v3/account")
        desk.exchange.answer("/api/v3/account", with: #"{"balances":[]}"#)
        let wait = try await #require(waiting(desk.client))
        #expect(wait.reason == reason)
        #expect(wait.until.milliseconds == desk.time.now + length)
        let count = desk.exchange.sent.count
        let other = try desk.restarted()
        #expect(await waiting(other) == wait)
        #expect(await waiting(desk.client) == wait)
        await #expect(throws: ExchangeError.mustWait(wait)) {
            _ = try await other.place(desk.order(), as: desk.newID())
        }
        await #expect(throws: ExchangeError.mustWait(wait)) { _ = try await other.serverTime() }
        #expect(desk.exchange.sent.count == count, "a request was sent during the pause")
        desk.time.pass(length)
        #expect(try await other.balances().assets.isEmpty)
        #expect(try await desk.client.balances().assets.isEmpty)
    }

    private func waiting(_ client: ExchangeClient) async -> Wait? {
        do { _ = try await client.balances() } catch ExchangeError.mustWait(let wait) { return wait } catch {}
        return nil
    }

    @Test("a ban whose end is only in the message lasts until then")
    func message() async throws {
        let desk = try await Desk()
        let end = desk.time.now + 1_000_000
        desk.exchange.next(
            .answerInstead(
                status: 418,
                body: #"{"code":-1003,"msg":"Way too many requests; IP banned until \#(end). Please use"}"#,
                headers: json), at: "GET /api/v3/account")
        let wait = try await #require(waiting(desk.client))
        #expect(wait.until.milliseconds == end + 1_000)
    }

    @Test("Kraken's temporary lockout stops the key for 15 minutes, without another attempt")
    func lockout() async throws {
        let desk = try await Desk(.kraken)
        desk.exchange.next(
            .answerInstead(status: 200, body: #"{"error":["EGeneral:Temporary lockout"]}"#, headers: json),
            at: "POST /0/private/Balance")
        let wait = try await #require(waiting(desk.client))
        #expect(wait.reason == .lockout)
        #expect(wait.until.milliseconds == desk.time.now + 900_000)
        let count = desk.exchange.sent.count
        #expect(await waiting(try desk.restarted()) == wait)
        #expect(desk.exchange.sent.count == count)
    }

    @Test("a pause that cannot be written is obeyed by this process")
    func fullDisk() async throws {
        let files = MemoryFiles()
        let desk = try await Desk(files: files)
        files.fail(at: 1, .full)
        desk.exchange.next(.answerInstead(status: 418, body: "", headers: []), at: "GET /api/v3/account")
        let wait = await waiting(desk.client)
        #expect(wait != nil)
        #expect(await waiting(desk.client) == wait)
    }

    @Test("the weight of the headers is known, and the client stops before the exchange does")
    func weight() async throws {
        let desk = try await Desk()
        desk.exchange.answer("/api/v3/account", with: #"{"balances":[]}"#)
        _ = try await desk.client.balances()
        #expect(await desk.client.usage.weight == 7)
        desk.exchange.next(
            .answerInstead(
                status: 200, body: #"{"balances":[]}"#,
                headers: json + [HTTPHeader("x-mbx-used-weight-1m", "5700"), HTTPHeader("X-MBX-ORDER-COUNT-10S", "3")]),
            at: "GET /api/v3/account")
        _ = try await desk.client.balances()
        #expect(await desk.client.usage.orders == ["10S": 3])
        let wait = try await #require(waiting(desk.client))
        #expect(wait.until.milliseconds % 60_000 == 0)
        desk.time.pass(60_000)
        #expect(try await desk.client.balances().assets.isEmpty)
    }
}

@Suite struct RevokedClientTests {
    @Test("a client of a revoked key sends nothing more, also one that was made before")
    func revoked() async throws {
        let desk = try await Desk(.kraken)
        desk.exchange.answer("/0/private/Balance", with: "{}")
        _ = try await desk.client.balances()
        try await desk.keyring.revoke(desk.label, at: .kraken, now: Moment(milliseconds: 1))
        let count = desk.exchange.sent.count
        await #expect(throws: ExchangeError.noKey) { _ = try await desk.client.balances() }
        await #expect(throws: ExchangeError.noKey) { _ = try await desk.client.place(desk.order(), as: desk.newID()) }
        #expect(desk.exchange.sent.count == count)
    }

    @Test("a window outside of the limits is refused")
    func window() async throws {
        await #expect(throws: ExchangeError.invalid(.window, .tooShort(least: 4_000))) {
            _ = try await Desk(window: 3_999)
        }
        await #expect(throws: ExchangeError.invalid(.window, .tooLarge)) { _ = try await Desk(window: 58_001) }
    }
}
