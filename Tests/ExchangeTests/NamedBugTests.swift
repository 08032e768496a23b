import ExchangeCredentials
import ExchangeTestSupport
import Foundation
import PinnedHTTP
import Secrets
import SecureStorage
import Synchronization
import Testing

@testable import Exchange

private let json = [HTTPHeader("Content-Type", "application/json")]

/// Bugs of other clients, each by its report.
@Suite struct NamedBugTests {
    @Test(
        "nautilus_trader 4215: no retry after the stream has shown the order",
        arguments: [ExchangeFixture.Kind.binanceHMAC, .kraken])
    func retryAfterAcceptance(kind: ExchangeFixture.Kind) async throws {
        let fixture = try await ExchangeFixture(kind)
        let (order, id) = (try fixture.order(), fixture.newID())
        let observer = try fixture.restarted()
        let placed = try #require(PlacedOrder(id: id, exchangeID: "28", status: .open, filled: nil))
        // The stream shows the order while the request is under way, and the answer says the opposite.
        fixture.exchange.onArrival { sent in
            guard sent.path == fixture.exchange.orderPath, sent.method == "POST" else { return }
            try? await observer.observe(placed)
        }
        fixture.exchange.next(
            .answerAfter(
                status: kind == .kraken ? 200 : 400,
                body: kind == .kraken ? #"{"error":["EService:Deadline elapsed"]}"# : #"{"code":-1021,"msg":"x"}"#,
                headers: json))
        let outcome = try await fixture.client.place(order, as: id)
        guard case .placed(let found, let evidence) = outcome else { Issue.record("\(outcome)"); return }
        #expect(found.exchangeID == "28")
        #expect(evidence == .observation || evidence == .journal)
        #expect(fixture.exchange.orders.count == 1)
    }

    @Test(
        "hummingbot 493, catalyst 317: a time-out is not a failure",
        arguments: [ExchangeFixture.Kind.binanceHMAC, .kraken])
    func timeOut(kind: ExchangeFixture.Kind) async throws {
        let fixture = try await ExchangeFixture(kind)
        fixture.exchange.next(.timeOut)
        let outcome = try await fixture.client.place(fixture.order(), as: fixture.newID())
        guard case .placed(_, .query) = outcome else { Issue.record("\(outcome)"); return }
        #expect(fixture.exchange.placed.count == 1)
    }

    @Test(
        "TradingAgents 1322: no error contains the key, the secret, the signature or the query",
        arguments: ExchangeFixture.Kind.allCases)
    func errors(kind: ExchangeFixture.Kind) async throws {
        let fixture = try await ExchangeFixture(kind)
        let path = kind == .kraken ? "POST /0/private/Balance" : "GET /api/v3/account"
        // The server repeats the whole request in its error.
        let echo = Mutex("")
        fixture.exchange.onArrival { sent in
            echo.withLock { $0 = sent.target + sent.form.description + sent.headers.map(\.value).joined() }
        }
        var texts: [String] = []
        func collect(_ body: () async throws -> Void) async {
            do { try await body() } catch {
                texts.append("\(error)")
                var dumped = ""
                dump(error, to: &dumped)
                texts.append(dumped + String(reflecting: error) + error.localizedDescription)
            }
        }
        await collect { _ = try await fixture.client.balances() }
        let repeated = echo.withLock { $0 }.filter { $0 != "\"" && $0 != "\\" && $0 != "\n" }
        #expect(repeated.contains(kind == .kraken ? DocumentedKeys.krakenKey : DocumentedKeys.binanceKey))
        for trouble: FakeExchange.Trouble in [
            .cutBefore, .notConnected, .huge,
            .answerInstead(status: 400, body: #"{"code":-1100,"msg":"\#(repeated)"}"#, headers: json),
            .answerInstead(status: 400, body: #"{"code":-2010,"msg":"\#(repeated)"}"#, headers: json),
            .answerInstead(status: 200, body: #"{"error":["EAPI:\#(repeated)"]}"#, headers: json),
            .answerInstead(status: 200, body: #"{"error":["\#(repeated)"]}"#, headers: json),
            .answerInstead(status: 500, body: repeated, headers: json),
        ] {
            fixture.exchange.next(trouble, at: path)
            await collect { _ = try await fixture.client.balances() }
            fixture.exchange.next(trouble)
            let outcome = try await fixture.client.place(fixture.order(), as: fixture.newID())
            var dumped = ""
            dump(outcome, to: &dumped)
            texts.append("\(outcome)" + dumped)
        }
        dump(fixture.client, to: &texts[0])
        texts.append("\(fixture.client)\(fixture.keyring)")
        texts.append("\(try await fixture.client.journal())")
        #expect(texts.count > 16)
        let secrets = [
            DocumentedKeys.binanceKey, DocumentedKeys.binanceSecret, DocumentedKeys.krakenKey,
            DocumentedKeys.krakenSecret,
            String(DocumentedKeys.binancePEM.dropFirst(40).prefix(20)), "signature", "API-Sign", "timestamp", "nonce=",
        ]
        for text in texts {
            for secret in secrets { #expect(!text.contains(secret.prefix(12)), "\(text)") }
        }
    }

    @Test("binance-connector-js 561: the library writes nothing to the standard streams")
    func debugLogs() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources")
        let files = try ["Exchange", "ExchangeCredentials"].flatMap { target in
            let found = FileManager.default.enumerator(
                at: sources.appending(path: target), includingPropertiesForKeys: nil)
            return try #require(found).compactMap { $0 as? URL }
        }
        var count = 0
        for file in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            count += 1
            for call in ["print(", "dump(", "debugPrint(", "NSLog", "Logger", "fputs", "stderr"] {
                #expect(!text.contains(" \(call)"), "\(file.lastPathComponent) calls \(call)")
            }
        }
        #expect(count > 50)
    }

    @Test("freqtrade 6016: what a program shows of its configuration contains no secret")
    func configuration() async throws {
        let fixture = try await ExchangeFixture(.binanceHMAC)
        let record = try #require(try await fixture.keyring.record(fixture.label, at: .binance))
        var dumped = ""
        dump(record, to: &dumped)
        for text in ["\(record)", dumped] {
            #expect(!text.contains(DocumentedKeys.binanceKey.prefix(8)))
            #expect(!text.contains(DocumentedKeys.binanceSecret.prefix(8)))
        }
    }

    @Test("freqtrade 4462: the target of a signed query is in no error, also if the server refuses it")
    func targets() async throws {
        let fixture = try await ExchangeFixture()
        fixture.exchange.next(
            .answerInstead(status: 400, body: #"{"code":-2013,"msg":"Order does not exist."}"#, headers: json),
            at: "GET /api/v3/account")
        do {
            _ = try await fixture.client.balances()
            Issue.record("no error")
        } catch {
            #expect(
                "\(error)" == "refused(Exchange.Refusal(reason: Exchange.Refusal.Reason.noSuchOrder, code: \"-2013\"))")
        }
    }
}
