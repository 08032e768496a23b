public import HDKeys

/// The scripts of an account as text that other wallets import: `tr(xpub…/<0;1>/*)#checksum`, or `wpkh(…`.
///
/// BIP-386 for `tr`, BIP-382 for `wpkh`, BIP-389 for `<0;1>`, BIP-380 for the checksum. No other form is read.
public struct OutputDescriptor: Equatable, Sendable {
    /// The scripts that are made of the keys.
    public enum Kind: String, CaseIterable, Sendable {
        /// P2TR, without a script tree.
        case taproot = "tr"
        /// P2WPKH.
        case segwit = "wpkh"
    }

    /// The kind of its scripts.
    public let kind: Kind
    /// The extended key that all keys derive from.
    public let key: ExtendedPublicKey
    /// The network. It decides between `xpub` and `tpub`; the descriptor does not distinguish test networks.
    public let network: Network

    /// Creates the descriptor of an account.
    public init(_ kind: Kind, key: ExtendedPublicKey, network: Network) {
        self.kind = kind
        self.key = key
        self.network = network
    }

    private static let closing = "/<0;1>/*)"
    private var opening: String { kind.rawValue + "(" + key.text(on: network) }

    /// The descriptor of both chains.
    public var text: String { Self.withChecksum(opening + Self.closing) }

    /// Returns the descriptor of one chain, for software that does not know BIP-389: `tr(xpub…/1/*)#checksum`.
    public func text(of chain: AddressPath.Chain) -> String {
        Self.withChecksum(opening + "/\(chain.rawValue)/*)")
    }

    /// Reads what ``text`` writes.
    ///
    /// - Throws: ``BitcoinError/badDescriptor`` for any other form, and a missing or wrong checksum; the errors of
    ///   `ExtendedPublicKey.init(_:on:)`.
    public init(_ text: String, on network: Network) throws(BitcoinError) {
        guard text.utf8.count <= BitcoinLimits.descriptorBytes else { throw .badDescriptor }
        let body = try DescriptorChecksum.body(of: text)
        guard let kind = Kind.allCases.first(where: { body.hasPrefix($0.rawValue + "(") }), body.hasSuffix(Self.closing)
        else { throw .badDescriptor }
        let key = body.dropFirst(kind.rawValue.utf8.count + 1).dropLast(Self.closing.utf8.count)
        guard !key.isEmpty else { throw .badDescriptor }
        do {
            self.init(kind, key: try ExtendedPublicKey(String(key), on: network), network: network)
        } catch {
            throw .key(error)
        }
    }

    private static func withChecksum(_ body: String) -> String {
        guard let checksum = DescriptorChecksum.of(body) else {
            preconditionFailure("what this type writes has only characters that a descriptor may have")
        }
        return body + "#" + checksum
    }
}

extension OutputDescriptor: CustomStringConvertible {
    public var description: String { text }
}
