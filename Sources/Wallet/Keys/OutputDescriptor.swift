/// The scripts of a wallet as text that other wallets import: `tr(xpub…/<0;1>/*)#checksum`.
///
/// BIP-386 for `tr`, BIP-389 for `<0;1>`, BIP-380 for the checksum. This is the only form that is read.
public struct OutputDescriptor: Equatable, Sendable {
    public let key: ExtendedPublicKey
    /// Decides between `xpub` and `tpub`; the descriptor does not tell test networks apart.
    public let network: Network

    public init(key: ExtendedPublicKey, network: Network) {
        self.key = key
        self.network = network
    }

    private static let opening = "tr("
    private static let closing = "/<0;1>/*)"

    /// Both chains in one.
    public var text: String { Self.withChecksum(Self.opening + key.text(on: network) + Self.closing) }

    /// One chain, for software that does not know BIP-389: `tr(xpub…/1/*)#checksum`.
    public func text(of chain: AddressPath.Chain) -> String {
        Self.withChecksum(Self.opening + key.text(on: network) + "/\(chain.rawValue)/*)")
    }

    /// Reads what ``text`` writes.
    ///
    /// - Throws: ``WalletError/badDescriptor`` for any other form, and a missing or wrong checksum; what
    ///   ``ExtendedPublicKey/init(_:on:)`` throws.
    public init(_ text: String, on network: Network) throws(WalletError) {
        guard text.utf8.count <= WalletLimits.descriptorBytes else { throw .badDescriptor }
        let body = try DescriptorChecksum.body(of: text)
        guard body.hasPrefix(Self.opening), body.hasSuffix(Self.closing),
            body.utf8.count > Self.opening.utf8.count + Self.closing.utf8.count
        else { throw .badDescriptor }
        let key = body.dropFirst(Self.opening.count).dropLast(Self.closing.count)
        self.init(key: try ExtendedPublicKey(String(key), on: network), network: network)
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
