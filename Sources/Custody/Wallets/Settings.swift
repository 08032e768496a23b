internal import Encoding
public import Files
public import Wallet

/// The user's settings for all calls: `config.json` in the folder of wallets.
///
/// The addresses of nodes and proxies are stored as the user gave them, and may contain a password. The reader parses
/// them, and pins and hosts.
public struct Settings: Equatable, Sendable {
    /// The key of a setting, without a wallet.
    public enum Key: Equatable, Sendable {
        /// The node of a chain.
        case node(ChainName)
        /// The pins of the node of a chain, separated by spaces.
        case nodePin(ChainName)
        /// The path of a pin policy with the pins of the node of a chain.
        case nodePins(ChainName)
        /// The proxy to the node of a chain.
        case nodeProxy(ChainName)
        /// The hosts of nodes of a chain that may be reached by `http`, separated by spaces.
        case allowHTTP(ChainName)
        /// The pins of an exchange's server, separated by spaces.
        case exchangePin(ExchangeName)
        /// The proxy to an exchange.
        case exchangeProxy(ExchangeName)
        /// The largest amount of an order that needs no question, in the first asset of this market.
        case orderLimit(ExchangeName, market: String)
        /// The cookie file of Bitcoin Core.
        case cookieFile
        /// The unit in which amounts of Bitcoin are shown.
        case unit
        /// The chain of commands that name none.
        case chain

        /// The keys without those of chains.
        public static let plain: [Key] = [.cookieFile, .unit, .chain]

        /// Reads a key in the form of ``text``.
        public init?(_ text: String) {
            if let plain = Self.plain.first(where: { $0.text == text }) {
                self = plain
            } else if let exchange = Self.ofExchange(text) {
                self = exchange
            } else if let (prefix, make) = Self.byChain.first(where: { text.hasPrefix($0.prefix) }),
                let chain = ChainName(String(text.dropFirst(prefix.count)))
            {
                self = make(chain)
            } else {
                return nil
            }
        }

        /// The beginnings of the keys that each chain has.
        private static let byChain: [(prefix: String, key: @Sendable (ChainName) -> Key)] = [
            ("node.", { .node($0) }), ("node-pin.", { .nodePin($0) }), ("node-pins.", { .nodePins($0) }),
            ("node-proxy.", { .nodeProxy($0) }), ("allow-http.", { .allowHTTP($0) }),
        ]

        private static func ofExchange(_ text: String) -> Key? {
            let parts = text.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
            guard parts.count >= 2, let exchange = ExchangeName(parts[1]) else { return nil }
            switch (parts[0], parts.count) {
            case ("exchange-pin", 2): return .exchangePin(exchange)
            case ("exchange-proxy", 2): return .exchangeProxy(exchange)
            case ("order-limit", 3) where !parts[2].isEmpty: return .orderLimit(exchange, market: parts[2])
            default: return nil
            }
        }

        /// Whether a wallet can override the value for all.
        var isOfWallets: Bool {
            switch self {
            case .node, .nodePin, .nodePins, .nodeProxy, .allowHTTP, .cookieFile, .unit, .chain: true
            case .exchangePin, .exchangeProxy, .orderLimit: false
            }
        }

        /// Returns the keys of a chain.
        public static func keys(of chain: ChainName) -> [Key] { byChain.map { $0.key(chain) } }

        /// The name in the file: `node.bitcoin`, `cookie-file`.
        public var text: String {
            switch self {
            case .node(let chain): "node.\(chain.text)"
            case .nodePin(let chain): "node-pin.\(chain.text)"
            case .nodePins(let chain): "node-pins.\(chain.text)"
            case .nodeProxy(let chain): "node-proxy.\(chain.text)"
            case .allowHTTP(let chain): "allow-http.\(chain.text)"
            case .exchangePin(let exchange): "exchange-pin.\(exchange.text)"
            case .exchangeProxy(let exchange): "exchange-proxy.\(exchange.text)"
            case .orderLimit(let exchange, let market): "order-limit.\(exchange.text).\(market)"
            case .cookieFile: "cookie-file"
            case .unit: "unit"
            case .chain: "chain"
            }
        }
    }

    /// The name of an exchange: lower-case letters. The reader knows which exchanges there are.
    public struct ExchangeName: Equatable, Sendable {
        /// The name: `kraken`.
        public let text: String

        /// Reads a name; nil for an empty or long text, and for other characters.
        public init?(_ text: String) {
            guard (1...16).contains(text.utf8.count),
                text.utf8.allSatisfy((UInt8(ascii: "a")...UInt8(ascii: "z")).contains)
            else { return nil }
            self.text = text
        }
    }

    /// The name of a setting: its key, and the wallet that it is for.
    public struct Name: Equatable, Sendable {
        /// The wallet; nil for all that have no setting of their own.
        public let wallet: WalletName?
        /// The key of the setting.
        public let key: Key

        /// Creates a name.
        public init(_ key: Key, of wallet: WalletName? = nil) { (self.key, self.wallet) = (key, wallet) }

        /// Reads a name, as ``text`` has it.
        public init?(_ text: String) {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.first == "wallet", parts.count > 2 else {
                guard let key = Key(text) else { return nil }
                self.init(key)
                return
            }
            // The name of a wallet may have points; no key of one word ends like a key of several.
            for count in 1..<(parts.count - 1) {
                let rest = parts.dropFirst(1 + count).joined(separator: ".")
                guard let key = Key(rest), key.isOfWallets,
                    let name = try? WalletName(parts[1...count].joined(separator: "."))
                else {
                    continue
                }
                self.init(key, of: name)
                return
            }
            return nil
        }

        /// The name as the file has it: `node.bitcoin`, `wallet.savings.chain`.
        public var text: String { (wallet.map { "wallet.\($0)." } ?? "") + key.text }
    }

    /// A setting with its value.
    public struct Entry: Equatable, Sendable {
        /// The name.
        public let name: Name
        /// The value, as it was given.
        public internal(set) var value: String
    }

    /// The settings, in the order in which they were first set.
    public private(set) var entries: [Entry] = []

    /// Creates empty settings.
    public init() {}

    /// Returns the value of the setting of this name; nil if it is not set.
    public subscript(name: Name) -> String? { entries.first { $0.name == name }?.value }

    /// Returns the value for a wallet: its own one, or else that of all wallets; nil if neither is set.
    public func value(of key: Key, for wallet: WalletName?) -> String? {
        wallet.flatMap { self[Name(key, of: $0)] } ?? self[Name(key)]
    }

    /// Returns the unit in which amounts of Bitcoin are shown: bitcoin, unless another one is set.
    public func unit(for wallet: WalletName?) -> BitcoinUnit {
        value(of: .unit, for: wallet).flatMap(BitcoinUnit.init) ?? .btc
    }

    /// Returns the chain of commands that name none: Bitcoin, unless another one is set.
    public func chain(for wallet: WalletName?) -> ChainName {
        value(of: .chain, for: wallet).flatMap { ChainName($0) } ?? .bitcoin
    }

    /// Sets a value.
    ///
    /// - Throws: ``SettingsFault/relativeCookieFile`` or ``SettingsFault/relativePinFile`` for a path that does not begin with
    ///   a slash; ``SettingsFault/unknownUnit``, ``SettingsFault/unknownChain``.
    public mutating func set(_ name: Name, _ value: String) throws(SettingsFault) {
        switch name.key {
        case .cookieFile: guard value.hasPrefix("/") else { throw .relativeCookieFile }
        case .nodePins: guard value.hasPrefix("/") else { throw .relativePinFile }
        case .unit: guard BitcoinUnit(rawValue: value) != nil else { throw .unknownUnit }
        case .chain: guard ChainName(value) != nil else { throw .unknownChain }
        case .node, .nodePin, .nodeProxy, .allowHTTP, .exchangePin, .exchangeProxy, .orderLimit: break
        }
        guard let place = entries.firstIndex(where: { $0.name == name }) else {
            return entries.append(Entry(name: name, value: value))
        }
        entries[place].value = value
    }

    /// Removes a setting.
    public mutating func remove(_ name: Name) { entries.removeAll { $0.name == name } }

    /// Removes the settings of one wallet.
    public mutating func removeAll(of wallet: WalletName) { entries.removeAll { $0.name.wallet == wallet } }
}

// MARK: - The file

extension Settings {
    /// Returns the path of the file.
    public static func path(in home: WalletHome) -> String { "\(home.path)/config.json" }

    /// Reads the settings of a folder; they are empty without a file.
    ///
    /// - Throws: ``SettingsFault/unreadable(path:_:)``, also for a file that other users than its owner can read;
    ///   ``SettingsFault/malformed(path:_:)``.
    public static func read(in home: WalletHome) throws(SettingsFault) -> Settings {
        let path = path(in: home)
        let bytes: [UInt8]
        do { bytes = try AtomicFile.read(path, limit: Limits.settingsFile, access: .ownerOnly) } catch .notFound {
            return Settings()
        } catch {
            throw .unreadable(path: path, error)
        }
        var settings = Settings()
        guard let members = (try? JSON(decoding: bytes))?.object?.members else {
            throw .malformed(path: path, .notJSON)
        }
        for member in members {
            if member.name == "version" {
                guard member.value.number?.integer(as: Int.self) == 1 else {
                    throw .malformed(path: path, .unknownVersion)
                }
                continue
            }
            guard let name = Name(member.name), let value = member.value.string else {
                throw .malformed(path: path, .unknownSetting(member.name))
            }
            try settings.set(name, value)
        }
        return settings
    }

    /// Removes the settings of a wallet that is deleted: another one of its name begins without them.
    ///
    /// - Throws: as ``read(in:)`` and ``write(in:)``.
    public static func forget(_ wallet: WalletName, in home: WalletHome) throws(SettingsFault) {
        var settings = try read(in: home)
        guard settings.entries.contains(where: { $0.name.wallet == wallet }) else { return }
        settings.removeAll(of: wallet)
        try settings.write(in: home)
    }

    /// Replaces the file. Only its owner can read it: a node's address may contain a password.
    ///
    /// - Throws: ``SettingsFault/unwritable(path:_:)``.
    public func write(in home: WalletHome) throws(SettingsFault) {
        let path = Self.path(in: home)
        let members = [("version", "1")] + entries.map { ($0.name.text, JSON.string($0.value).text) }
        let lines = members.map { "  \(JSON.string($0.0).text): \($0.1)" }
        do {
            try FolderCreation.make(home.path)
            try AtomicFile.write(
                Array("{\n\(lines.joined(separator: ",\n"))\n}\n".utf8), to: path, replacing: .allowed)
        } catch { throw .unwritable(path: path, error) }
    }
}

/// A failure of the user's settings.
public enum SettingsFault: Error, Equatable, Sendable {
    /// A flaw of the file.
    public enum Flaw: Equatable, Sendable {
        /// The file is not a JSON object.
        case notJSON
        /// Another version wrote the file.
        case unknownVersion
        /// The file has a member with an unknown name, or whose value is not a text.
        case unknownSetting(String)
    }

    /// The path of the cookie file does not begin with a slash.
    case relativeCookieFile
    /// The path of the pin policy does not begin with a slash.
    case relativePinFile
    /// The value is not a unit of Bitcoin.
    case unknownUnit
    /// The value names no chain.
    case unknownChain
    /// The file cannot be read.
    case unreadable(path: String, FileError)
    /// The file is malformed.
    case malformed(path: String, Flaw)
    /// The file cannot be written.
    case unwritable(path: String, FileError)
}
