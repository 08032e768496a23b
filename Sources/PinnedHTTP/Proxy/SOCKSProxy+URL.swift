extension SOCKSProxy {
    /// Reads a proxy's address: `socks5://127.0.0.1:9050`, with `user:password@` before the host for a separate
    /// circuit in Tor.
    ///
    /// - Returns: nil for anything else.
    public init?(url text: String) {
        let scheme = "socks5://"
        guard text.hasPrefix(scheme), text.utf8.count <= HTTPLimits.proxyURLCharacters,
            text.utf8.allSatisfy(URLText.isAllowed)
        else { return nil }
        let rest = text.dropFirst(scheme.count)
        // The last one: a password may hold another, though it should be encoded.
        let at = rest.lastIndex(of: "@")
        guard !rest.contains(where: { "/?#".contains($0) }),
            let origin = Origin(.https, authority: at.map { rest[rest.index(after: $0)...] } ?? rest),
            text.hasSuffix(":\(origin.port)")
        else { return nil }
        var authentication = Authentication.none
        if let at {
            guard let pair = URLText.userAndPassword(in: rest[..<at]), let login = ProxyCredentials(pair: pair) else {
                return nil
            }
            authentication = .credentials(login)
        }
        self.init(host: origin.host, port: origin.port, authentication: authentication)
    }
}
