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

/// The client against exchanges in Python, over real connections, with the real clock and real files.
@Suite("Independent exchanges") struct PeerTests {
    private let folder: SharedFolder

    init() throws { folder = try SharedFolder() }

    private func client(_ kind: ExchangeFixture.Kind, _ port: UInt16) async throws -> (ExchangeClient, Venue) {
        let venue: Venue = kind == .kraken ? .kraken : .binance
        let (key, text) =
            switch kind {
            case .binanceHMAC: (DocumentedKeys.binanceKey, DocumentedKeys.binanceSecret)
            case .binanceEd25519: (DocumentedKeys.binanceKey, DocumentedKeys.binancePEM)
            case .kraken: (DocumentedKeys.krakenKey, DocumentedKeys.krakenSecret)
            }
        let keyring = Keyring(in: InMemoryStore(forTestingHonouring: Set(Accessibility.allCases)))
        let label = try KeyLabel("main")
        try await keyring.add(
            try ExchangeCredential(
                key: APIKey(key, of: venue), secret: SigningSecret(reading: secret(text), of: venue), passphrase: nil,
                created: Timestamp(milliseconds: 0)), as: label)
        let origin = try #require(Origin(.http, host: "127.0.0.1", port: port))
        let client = try ExchangeClient(
            of: venue, key: label, in: keyring,
            state: ExchangeState(folder: "\(folder.path)/state", seen: "\(folder.path)/seen"),
            transport: SocketTransport(), origin: origin, clock: .system, random: SystemRandom(),
            window: ExchangeLimits.windows.upperBound)
        return (client, venue)
    }

    private func peer() throws -> PeerExchange {
        let seed = try #require(Data(base64Encoded: "MC4CAQAwBQYDK2VwBCIEIIJEYWtGBrhACmb9Dvy+qa8WEf0lQOl1s4CLIAB9m89u"))
        let key = try Curve25519.Signing.PrivateKey(rawRepresentation: seed.suffix(32))
        return try PeerExchange(credentials: [
            DocumentedKeys.binanceKey, DocumentedKeys.binanceSecret, Hex.encode(Array(key.publicKey.rawRepresentation)),
            DocumentedKeys.krakenKey, DocumentedKeys.krakenSecret,
        ])
    }

    private func control(_ port: UInt16, _ trouble: String) async throws -> [String] {
        let origin = try #require(Origin(.http, host: "127.0.0.1", port: port))
        let request = HTTPRequest(
            trouble.isEmpty ? .get : .post, "/control", at: origin, body: Array(trouble.utf8), repetition: .never)
        let answer = try await SocketTransport().send(try #require(request))
        return try JSON(decoding: answer.body)["orders"]?.array?.compactMap(\.string) ?? []
    }

    @Test("an independent exchange accepts the signatures, times and nonces", arguments: ExchangeFixture.Kind.allCases)
    func accepted(kind: ExchangeFixture.Kind) async throws {
        let peer = try peer()
        let (client, venue) = try await client(kind, peer.port)
        let order = try Order(
            .buy, Quantity("0.5", for: .amount), of: TradingSymbol("BTCUSDT", on: venue),
            .limit(price: Quantity("1.5", for: .price), .untilCancelled))
        #expect(try await client.test(order) == .valid)
        #expect(try await control(peer.port, "").isEmpty)
        let id = ClientOrderID(random: SystemRandom())
        let outcome = try await client.place(order, as: id)
        guard case .placed(_, .answer) = outcome else { Issue.record("\(outcome)"); return }
        #expect(try await control(peer.port, "") == [id.description])
    }

    @Test(
        "over real connections an order without an answer is found by its id", arguments: ExchangeFixture.Kind.allCases,
        ["cut-after", "half", "gateway"])
    func found(kind: ExchangeFixture.Kind, trouble: String) async throws {
        let peer = try peer()
        let (client, venue) = try await client(kind, peer.port)
        let order = try Order(.sell, Quantity("2", for: .amount), of: TradingSymbol("XBTUSD", on: venue), .market)
        _ = try await control(peer.port, trouble)
        let id = ClientOrderID(random: SystemRandom())
        let outcome = try await client.place(order, as: id)
        guard case .placed(_, .query) = outcome else { Issue.record("\(outcome)"); return }
        #expect(try await control(peer.port, "") == [id.description])
    }

    @Test("an exchange that is not there gets no order, and the journal says so")
    func missing() async throws {
        let port = try DeadPort()
        let (client, venue) = try await client(.kraken, port.number)
        let order = try Order(.sell, Quantity("2", for: .amount), of: TradingSymbol("XBTUSD", on: venue), .market)
        await #expect(throws: ExchangeError.transport(HTTPFailure(.notConnected, mayHaveArrived: false))) {
            _ = try await client.place(order, as: ClientOrderID(random: SystemRandom()))
        }
        #expect(try await client.journal().isEmpty)
    }
}
