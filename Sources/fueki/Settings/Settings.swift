internal import Custody
internal import Encoding
internal import Nodes
internal import SecureStorage
internal import Terminal

/// What a person has set once for all commands: `config.json` in the folder of wallets. An option and a variable of the environment
/// come before it.
struct Settings: Equatable {
    /// What can be set.
    enum Key: Equatable {
        /// The node of a chain.
        case node(ChainOption.Name)
        /// The cookie file of Bitcoin Core.
        case cookieFile

        init?(_ text: String) {
            if text == "cookie-file" {
                self = .cookieFile
            } else if text.hasPrefix("node."),
                let chain = ChainOption.Name(argument: String(text.dropFirst("node.".count)))
            {
                self = .node(chain)
            } else {
                return nil
            }
        }

        /// As the file and the command line have it: `node.bitcoin`, `cookie-file`.
        var text: String {
            switch self {
            case .node(let chain): "node.\(chain.defaultValueDescription)"
            case .cookieFile: "cookie-file"
            }
        }
    }

    /// In the order in which they were first set.
    private(set) var values: [(key: Key, value: String)] = []

    subscript(key: Key) -> String? { values.first { $0.key == key }?.value }

    static func == (one: Settings, other: Settings) -> Bool {
        one.values.elementsEqual(other.values) { $0.key == $1.key && $0.value == $1.value }
    }

    /// - Throws: a usage failure if the value is none for this key.
    mutating func set(_ key: Key, _ value: String) throws(Failure) {
        switch key {
        case .node: _ = try attempt { () throws(NodeError) in try NodeAddress(value) }
        case .cookieFile:
            guard value.hasPrefix("/") else {
                throw .usage("the path of a cookie file in the settings begins with '/': commands run in any folder")
            }
        }
        guard let place = values.firstIndex(where: { $0.key == key }) else { return values.append((key, value)) }
        values[place].value = value
    }

    mutating func remove(_ key: Key) { values.removeAll { $0.key == key } }

    // MARK: The file

    static func path(in home: WalletHome) -> String { "\(home.path)/config.json" }

    /// The settings of this folder; none where there is no file.
    static func read(in home: WalletHome) throws(Failure) -> Settings {
        let path = path(in: home)
        let bytes: [UInt8]
        do {
            bytes = try AtomicFile.read(path, limit: 64 << 10, access: .ownerOnly)
        } catch .notFound {
            return Settings()
        } catch {
            throw Failure(
                code: .missing, name: "bad_settings", message: "cannot read the settings \(path): \(error.sentence)",
                hint: "only you may have access to the file: 'chmod 600' it, or move it away and set anew")
        }
        var settings = Settings()
        guard let members = (try? JSON(decoding: bytes))?.object?.members else { throw malformed(path, "is no JSON") }
        for member in members {
            if member.name == "version" {
                guard member.value.number?.integer(as: Int.self) == 1 else {
                    throw malformed(path, "is of a version that this fueki does not know")
                }
                continue
            }
            guard let key = Key(member.name), let value = member.value.string else {
                throw malformed(path, "has '\(member.name)', which is no setting")
            }
            try settings.set(key, value)
        }
        return settings
    }

    /// Writes the whole file anew, for its owner only: a node's address may hold a password.
    func write(in home: WalletHome) throws(Failure) {
        let path = Self.path(in: home)
        let members = [("version", "1")] + values.map { ($0.key.text, JSON.string($0.value).text) }
        let lines = members.map { "  \(JSON.string($0.0).text): \($0.1)" }
        do {
            try FolderCreation.make(home.path)
            try AtomicFile.write(
                Array("{\n\(lines.joined(separator: ",\n"))\n}\n".utf8), to: path, replacing: .allowed)
        } catch {
            throw Failure(
                code: .unwritable, name: "unwritable", message: "cannot write to \(path): \(error.sentence)")
        }
    }

    private static func malformed(_ path: String, _ what: String) -> Failure {
        Failure(
            code: .malformed, name: "bad_settings", message: "the settings file \(path) \(what)",
            hint: "mend it, or move it away and use 'fueki config set'")
    }
}
