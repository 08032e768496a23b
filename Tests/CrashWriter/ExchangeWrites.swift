internal import Exchange
internal import ExchangeCredentials
internal import PinnedHTTP
internal import Secrets
internal import SecureStorage
internal import Time

/// Places orders at an exchange that exists in this process only, and reports each one that left (`sent ID NONCE`), and
/// each one whose outcome is in the journal (`placed ID`).
struct ExchangeWrites {
    static let usage = "exchange VAULT PASSPHRASE FOLDER COUNT"

    private let vault: String
    private let passphrase: String
    private let folder: String
    private let count: Int

    init?(_ arguments: [String]) {
        guard arguments.count == 4, let count = Int(arguments[3]) else { return nil }
        (vault, passphrase, folder, self.count) = (arguments[0], arguments[1], arguments[2], count)
    }

    func run() async -> Int32 {
        do {
            var passphrase = [UInt8](passphrase.utf8)
            let store = try VaultFile.openReadOnly(
                at: vault, passphrase: SecretBytes(moving: &passphrase), freshness: .unchecked)
            let client = try ExchangeClient(
                of: .kraken, key: try KeyLabel("main"), in: Keyring(in: store),
                state: ExchangeState(folder: folder, seen: "\(folder).seen"),
                transport: Acceptance(), clock: .system, random: SystemRandom(), window: ExchangeLimits.window)
            let order = try Order(
                .buy, Quantity("1", for: .amount), of: TradingSymbol("XBTUSD", on: .kraken), .market)
            say("opened")
            for _ in 0..<count {
                let id = ClientOrderID(random: SystemRandom())
                let outcome = try await client.place(order, as: id)
                guard case .placed = outcome else {
                    say("refused \(outcome)")
                    return 1
                }
                say("placed \(id)")
            }
            say("closed")
            return 0
        } catch {
            say("refused \(error)")
            return 1
        }
    }

    /// An exchange that accepts every order, after it has reported it.
    private struct Acceptance: HTTPTransport {
        func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
            func value(_ name: String) -> String {
                let fields = String(decoding: request.body, as: UTF8.self).split(separator: "&")
                return fields.first { $0.hasPrefix("\(name)=") }.map { String($0.dropFirst(name.count + 1)) } ?? ""
            }
            guard request.target == "/0/private/AddOrder" else {
                let now = ExchangeClock.system.now().milliseconds / 1_000
                return HTTPResponse(status: 200, body: Array(#"{"error":[],"result":{"unixtime":\#(now)}}"#.utf8))
            }
            say("sent \(value("cl_ord_id")) \(value("nonce"))")
            return HTTPResponse(
                status: 200, body: Array(#"{"error":[],"result":{"txid":["OAAAAA-BBBBB-CCCCCC"]}}"#.utf8))
        }
    }
}
