import Crypto
import Encoding
import ExchangeCredentials
import ExchangeTestSupport
import Foundation
import PinnedHTTP
import SecretStoreTestSupport
import Secrets
import SecureStorage
import TestSupport
import Testing
import Time

@testable import Exchange

/// Streams from exchanges in Python, over real connections.
@Suite("Streams of independent exchanges", .timeLimit(.minutes(20))) struct StreamPeerTests {
    private let folder: SharedFolder

    init() throws { folder = try SharedFolder() }

    private func client(_ venue: Venue, _ port: UInt16) async throws -> ExchangeClient {
        let (key, text) =
            venue == .binance
            ? (DocumentedKeys.binanceKey, DocumentedKeys.binanceSecret)
            : (DocumentedKeys.krakenKey, DocumentedKeys.krakenSecret)
        let keyring = Keyring(in: InMemoryStore(forTestingHonouring: Set(Accessibility.allCases)))
        let label = try KeyLabel("main")
        try await keyring.add(
            try ExchangeCredential(
                key: APIKey(key, of: venue), secret: SigningSecret(reading: secret(text), of: venue), passphrase: nil,
                created: Timestamp(milliseconds: 0)), as: label)
        let origin = try #require(Origin(.http, host: "127.0.0.1", port: port))
        return try ExchangeClient(
            of: venue, key: label, in: keyring,
            state: ExchangeState(folder: "\(folder.path)/state", seen: "\(folder.path)/seen"),
            transport: SocketTransport(), origin: origin, clock: .system,
            random: SystemRandom(), window: .seconds(30))
    }

    private func peer(_ behaviours: String...) async throws -> PeerExchange {
        let peer = try PeerExchange(credentials: [
            DocumentedKeys.binanceKey, DocumentedKeys.binanceSecret, String(repeating: "0", count: 64),
            DocumentedKeys.krakenKey, DocumentedKeys.krakenSecret,
        ])
        let origin = try #require(Origin(.http, host: "127.0.0.1", port: peer.port))
        for behaviour in behaviours {
            let request = HTTPRequest(
                .post, "/control", at: origin, body: Array("stream \(behaviour)".utf8), repetition: .never)
            _ = try await SocketTransport().send(try #require(request))
        }
        return peer
    }

    private func stream(
        _ client: ExchangeClient, _ symbols: [String], orders: Bool = false,
        clock: any Clock<Duration> = ContinuousClock()
    ) throws -> ExchangeStream {
        let markets = try symbols.map { try TradingSymbol($0, on: client.venue) }
        return try ExchangeStream(of: client, markets, orders: orders) { origin throws(ExchangeError) in
            #expect(origin.isLoopback)
            return PinnedClient(
                ClientConfiguration(userAgent: "test/1", roots: .system, plainHTTP: .loopback, retries: .never),
                pins: LivePins(.none, updatedBy: [], time: PinTime(latest: 0)), now: { 1_700_000_000 }, clock: clock)
        }
    }

    @Test("prices and trades come from both exchanges", arguments: [(Venue.binance, "BTCUSDT"), (.kraken, "BTC/USD")])
    func prices(venue: Venue, symbol: String) async throws {
        let peer = try await peer()
        let stream = try stream(try await client(venue, peer.port), [symbol])
        var events = stream.makeAsyncIterator()
        var (quotes, trades, isSubscribed) = (0, 0, false)
        while quotes == 0 || trades == 0 || !isSubscribed {
            switch try await events.next() {
            case .quote(let quote)?:
                #expect(quote.symbol.text == symbol && quote.bid.description == "30000.1")
                quotes += 1
            case .trade(let trade)?:
                #expect(trade.price.description == "30000.1" && trade.side == .sell)
                trades += 1
            case .subscribed(.market)?: isSubscribed = true
            case let other: Issue.record("\(String(describing: other))")
            }
        }
        await stream.close()
    }

    @Test(
        "orders come from both exchanges with a signature or a token, and an order of the journal is noted",
        arguments: Venue.allCases)
    func orders(venue: Venue) async throws {
        let peer = try await peer()
        let client = try await client(venue, peer.port)
        let order = try Order(
            .buy, Quantity("0.5", for: .amount), of: TradingSymbol("BTCUSDT", on: venue),
            .limit(price: Quantity("37500.5", for: .price), .untilCancelled))
        let id = ClientOrderID(random: SystemRandom())
        _ = try await client.place(order, as: id)
        let stream = try stream(client, [], orders: true)
        var events = stream.makeAsyncIterator()
        while let event = try await events.next() {
            guard case .order(let report, let note) = event, report.clientID == id else { continue }
            #expect(note == .noted && report.side == .buy)
            break
        }
        await stream.close()
    }

    @Test("a connection that breaks is made again with a new token, and the gap is told", arguments: Venue.allCases)
    func reconnected(venue: Venue) async throws {
        let peer = try await peer("cut")
        let clock = PassingClock(upTo: .seconds(1))
        let stream = try stream(try await client(venue, peer.port), [], orders: true, clock: clock)
        var events = stream.makeAsyncIterator()
        var seen: [String] = []
        while seen.last != "again" {
            switch try await events.next() {
            case .subscribed(.orders)?: seen.append(seen.contains("gap") ? "again" : "subscribed")
            case .interrupted(.orders, .broken, _)?: seen.append("interrupted")
            case .gap(let gap)?:
                #expect(gap.feed == .orders && gap.reason == .broken)
                seen.append("gap")
            case .order?, .waiting?: break
            case let other: Issue.record("\(String(describing: other))")
            }
        }
        #expect(seen.filter { $0 == "gap" }.count == 1 && seen.contains("interrupted"))
        await stream.close()
    }

    @Test("a server that confirms and then sends nothing is left, and the gap is told")
    func silent() async throws {
        let peer = try await peer("silent")
        // The four looks for a message pass at once; pings, time-outs and other pauses do not.
        let clock = PassingClock(upTo: .seconds(5))
        let stream = try stream(try await client(.kraken, peer.port), ["BTC/USD"], clock: clock)
        var events = stream.makeAsyncIterator()
        while let event = try await events.next() {
            guard case .gap(let gap) = event else { continue }
            #expect(gap.reason == .silent && gap.feed == .market)
            break
        }
        await stream.close()
    }

    @Test(
        "messages of a hostile server are counted, and nothing of them is kept",
        arguments: [
            (Venue.binance, "BTCUSDT"), (.kraken, "BTC/USD"),
        ])
    func hostile(venue: Venue, symbol: String) async throws {
        let peer = try await peer("hostile")
        let stream = try stream(try await client(venue, peer.port), [symbol])
        var events = stream.makeAsyncIterator()
        while let event = try await events.next() {
            #expect(!"\(event)".contains("\u{1B}") && !"\(event)".contains("owned"))
            if case .unreadable(.market, 3) = event { break }
        }
        await stream.close()
    }

    @Test("a flood of prices takes bounded memory, and the stream still ends when it is closed")
    func flood() async throws {
        let peer = try await peer("flood")
        let stream = try stream(try await client(.binance, peer.port), ["BTCUSDT"])
        var events = stream.makeAsyncIterator()
        func hasNext() async throws -> Bool {
            do { return try await events.next() != nil } catch ExchangeError.transport(let failure)
                where failure.reason == .closed
            {
                // The flood was faster than this machine: a reader that is too slow loses its stream.
                return false
            }
        }
        #expect(try await hasNext())
        var count = 1
        while count < 200, try await hasNext() { count += 1 }
        #expect(stream.core.queue.count <= 4)
        await stream.close()
        while try await hasNext() {}
    }

    @Test("an unknown market ends the stream with the reason")
    func refused() async throws {
        let peer = try await peer("refuse")
        let stream = try stream(try await client(.kraken, peer.port), ["ABC/USD"])
        var events = stream.makeAsyncIterator()
        await #expect(throws: ExchangeError.refused(Refusal(reason: .symbol, code: ""))) {
            while try await events.next() != nil {}
        }
    }
}

/// A clock whose short sleeps end at once; longer ones last until they are cancelled.
private struct PassingClock: Clock {
    struct Instant: InstantProtocol {
        let offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let longest: Duration
    init(upTo longest: Duration) { self.longest = longest }

    var now: Instant { Instant(offset: .zero) }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        guard deadline.offset > longest else {
            await Task.yield()
            return try Task.checkCancellation()
        }
        let (never, continuation) = AsyncStream.makeStream(of: Never.self)
        for await _ in never {}
        withExtendedLifetime(continuation) {}
        try Task.checkCancellation()
    }
}
