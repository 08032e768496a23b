internal import PinnedHTTP

/// The chosen node, and its cookie.
///
/// A cookie is the password of Bitcoin Core, and is sent only to its own node. A cookie file that is named together
/// with a node is for that node. Every other cookie is sent only to a node on this machine whose address contains no
/// password: the cookie of the settings, or the one in Bitcoin Core's usual folder if the node has the usual port.
public struct NodeChoice: Equatable, Sendable {
    /// The address, as it was given: it may contain a password.
    public let url: String
    /// The cookie file for the node; nil without one.
    public let cookieFile: String?

    /// Chooses the node of Bitcoin.
    ///
    /// - Parameters:
    ///   - url: the named address; nil to use Bitcoin Core on this machine.
    ///   - cookieFile: the cookie file that was named with the address.
    ///   - usual: the cookie file of the settings.
    ///   - core: Bitcoin Core on this machine, from ``LocalBitcoinCore/find(for:home:)``.
    /// - Returns: nil if no node was named and none was found.
    /// - Throws: ``NodeError/badAddress(_:)`` for a malformed address, if the choice depends on it.
    public init?(
        bitcoin url: String?, cookieFile: String?, usual: String?, core: LocalBitcoinCore?
    ) throws(NodeError) {
        guard let url else {
            guard let core else { return nil }
            self.url = core.address
            self.cookieFile = cookieFile ?? usual ?? core.cookieFile
            return
        }
        self.url = url
        self.cookieFile = if let cookieFile { cookieFile } else { try Self.cookie(for: url, usual, core) }
    }

    /// Chooses a node without a default cookie: an Ethereum node, or an explorer.
    ///
    /// - Parameter cookieFile: the cookie file that was named with it.
    public init(other url: String, cookieFile: String?) {
        self.url = url
        self.cookieFile = cookieFile
    }

    private static func cookie(
        for url: String, _ usual: String?, _ core: LocalBitcoinCore?
    ) throws(NodeError) -> String? {
        let address = try NodeAddress(url)
        guard address.isLocal, !address.hasCredentials else { return nil }
        if let usual { return usual }
        let found = core.flatMap { try? NodeAddress($0.address) }
        return found?.origin.port == address.origin.port ? core?.cookieFile : nil
    }

    /// The scheme, host and port, without secrets; nil if the address is malformed.
    public var name: String? { (try? NodeAddress(url))?.description }
}
