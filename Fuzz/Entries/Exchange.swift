internal import Encoding
internal import Secrets
internal import Time

@testable internal import Exchange
@testable internal import ExchangeCredentials

extension FuzzEntry {
    /// The files of the library Exchange, and the items of ExchangeCredentials.
    static let exchange: [FuzzEntry] = [
        FuzzEntry("exchange-journal", seeds: try [SeedJournal.journal().encoded]) {
            try OrderJournal(decoding: $0).encoded
        },
        // The content without its checksum, which is made for it, so that the rest is read.
        FuzzEntry(
            "exchange-journal-body", seeds: try [SeedJournal.content(of: SeedJournal.journal().encoded)]
        ) {
            let framed = StateEnvelope.encode($0, of: .journal)
            let content = try StateEnvelope.decode(framed, of: .journal)
            precondition(content == $0, "another content")
            return SeedJournal.content(of: try OrderJournal(decoding: framed).encoded)
        },
        FuzzEntry("exchange-nonce", seeds: [[0, 0, 0, 0, 0, 0, 0, 7]]) {
            SeedJournal.content(of: try NonceRecord(decoding: StateEnvelope.encode($0, of: .nonce)).encoded)
        },
        FuzzEntry("exchange-seen", seeds: [[0, 0, 0, 0, 0, 0, 0, 7]]) {
            SeedJournal.content(of: try SeenGeneration(decoding: StateEnvelope.encode($0, of: .seen)).encoded)
        },
        FuzzEntry(
            "exchange-wait",
            seeds: [SeedJournal.content(of: WaitRecord(.ban, for: .seconds(5), from: SeedJournal.now).encoded)]
        ) {
            SeedJournal.content(of: try WaitRecord(decoding: StateEnvelope.encode($0, of: .wait)).encoded)
        },
        FuzzEntry("exchange-credential", seeds: try [exposed(SeedJournal.credential())]) {
            exposed(try ExchangeCredential(decoding: secret($0)).encoded)
        },
        FuzzEntry("exchange-base64", texts: [Base64.encode([UInt8](0..<47)), Base64.encode([UInt8](0..<48))]) { text in
            let size = text.utf8.count / 4 * 3 - (text.hasSuffix("==") ? 2 : text.hasSuffix("=") ? 1 : 0)
            guard let decoded = SecretBase64.decode(secret([UInt8](text.utf8)), bytes: size) else { return nil }
            return Base64.encode(exposed(decoded))
        },
        FuzzEntry("exchange-use", seeds: [SeedJournal.use.encoded]) { try CredentialUse(decoding: $0).encoded },
        FuzzEntry("exchange-tombstone", seeds: [[1, 0, 0, 0, 0, 0, 0, 0, 9] + "main".utf8]) {
            try Tombstone(decoding: $0, venue: .kraken, fingerprint: "").encoded
        },
        FuzzEntry("exchange-binance-stream", texts: StreamSeeds.binance) { StreamSeeds.read($0, BinanceStream()) },
        FuzzEntry("exchange-kraken-stream", texts: StreamSeeds.kraken) { StreamSeeds.read($0, KrakenStream()) },
        FuzzEntry("exchange-stream-number", texts: ["1.5e-5", "1E3", "0.00001", "12"]) { text in
            guard let number = Quantity(number: try JSON.Number(text)) else { return nil }
            let again = Quantity(number: try JSON.Number(number.description))
            precondition(again == number, "another number")
            return text
        },
    ]
}

private enum StreamSeeds {
    static let binance = [
        #"{"u":400900217,"s":"BNBUSDT","b":"25.35190000","B":"31.21000000","a":"25.36520000","A":"40.66000000"}"#,
        #"{"e":"trade","E":1,"s":"BNBUSDT","t":12345,"p":"0.001","q":"100","T":1672515782136,"m":true,"M":true}"#,
        #"{"subscriptionId":0,"event":{"e":"executionReport","s":"ETHBTC","c":"a","S":"BUY","q":"1.0","p":"0.1","#
            + #""C":"","x":"NEW","X":"NEW","i":4293153,"l":"0.0","z":"0.0","L":"0.0","T":1499405658657}}"#,
        #"{"id":1,"status":400,"error":{"code":-1022,"msg":"x"}}"#, #"{"result":null,"id":1}"#,
    ]
    static let kraken = [
        #"{"channel":"ticker","data":[{"symbol":"A/B","bid":0.1,"bid_qty":7.0,"ask":0.2,"ask_qty":1e-05}]}"#,
        #"{"channel":"trade","data":[{"symbol":"A/B","side":"sell","price":0.5,"qty":4,"#
            + #""timestamp":"2023-09-25T07:49:37.708706Z"}]}"#,
        #"{"channel":"executions","data":[{"order_id":"OK4GJX","symbol":"A/B","order_qty":1.25,"exec_type":"new","#
            + #""side":"buy","order_status":"new","timestamp":"2023-09-22T10:33:05.7Z"}],"sequence":1}"#,
        #"{"method":"subscribe","success":false,"error":"EGeneral:Permission denied"}"#,
    ]

    /// Reads a message. Its meaning has no text of its own, so the input is returned.
    static func read(_ text: String, _ dialect: any StreamDialect) -> String? {
        if case .unreadable = dialect.read(text, now: SeedJournal.now) { nil } else { text }
    }
}

private enum SeedJournal {
    static let now = Timestamp(milliseconds: 1_700_000_000_000)

    /// A journal with an order in each state.
    static func journal() throws -> OrderJournal {
        var journal = OrderJournal()
        let states: [JournalEntry.State] = [
            .open, .placed(exchangeID: "28"), .refused(Refusal(reason: .funds, code: "-2010")), .absent, .notSent,
        ]
        for (number, state) in states.enumerated() {
            let order = try Order(
                .buy, Quantity("1.25", for: .amount), of: TradingSymbol("BTCUSDT", on: .binance),
                state == .open ? .market : .limit(price: Quantity("0.5", for: .price), .untilCancelled))
            try journal.add(
                JournalEntry(
                    id: ClientOrderID(random: SeedRandom(UInt64(number))), order: order, created: now, deadline: now,
                    state: state))
        }
        return journal
    }

    /// The content of an envelope.
    static func content(of bytes: [UInt8]) -> [UInt8] { Array(bytes.dropFirst(9).dropLast(32)) }

    static func credential() throws -> SecretBytes {
        let key = String(repeating: "k", count: CredentialLimits.binanceKeyCharacters)
        let text = [UInt8](repeating: UInt8(ascii: "s"), count: CredentialLimits.binanceSecretCharacters)
        return try ExchangeCredential(
            key: APIKey(key, of: .binance), secret: SigningSecret(reading: secret(text), of: .binance),
            passphrase: secret([UInt8]("pass".utf8)), created: now
        ).encoded
    }

    static var use: CredentialUse {
        var use = CredentialUse(fingerprint: String(repeating: "ab", count: 16))
        use.lastUsed = now
        use.rights = [.read, .unknown("enableX")]
        return use
    }
}
