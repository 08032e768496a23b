/// Two exchanges of Python's standard library, which check what a client signs. They end with this value.
///
/// See `scripts/peers/exchange.py`.
public struct PeerExchange: ~Copyable {
    private let program: Leashed
    /// The port on 127.0.0.1.
    public let port: UInt16

    /// - Parameter credentials: Binance's key, HMAC secret and Ed25519 public key (hexadecimal); Kraken's key and
    ///   secret.
    public init(credentials: [String]) throws {
        let program = try Leashed(Python.system) { _ in
            ["\(Repository.path)/scripts/peers/exchange.py"] + credentials
        }
        guard let port = UInt16(try program.greeting().dropFirst("ready ".count)) else {
            throw Leashed.NotStarted(description: "no port")
        }
        self.port = port
        self.program = program
    }

    /// - Parameters:
    ///   - krakenKey: Kraken's key; those of Binance are not used.
    ///   - secret: its secret.
    public init(krakenKey: String, secret: String) throws {
        let unused = String(repeating: "b", count: 64)
        try self.init(credentials: [unused, unused, String(repeating: "0", count: 64), krakenKey, secret])
    }
}
