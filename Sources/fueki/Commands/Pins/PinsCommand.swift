internal import ArgumentParser
internal import PinnedHTTP
internal import Terminal
internal import Texts

struct PinsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pins", abstract: "Show the pins of a server, and check a pin policy against its servers.",
        subcommands: [PinsShow.self, PinsCheck.self])
}

/// The way to a server whose pins are looked up.
struct ProbeOptions: ParsableArguments {
    @Option(help: .value("port", "The port of the server."))
    var port: UInt16 = 443

    @OptionGroup var authorities: AuthoritiesOption

    @Option(
        help: .value("host:port", "A SOCKS5 proxy, which also looks up the server's name: '127.0.0.1:9050' for Tor."))
    var socks: String?

    func probe() throws(Failure) -> PinProbe {
        var configuration = ClientConfiguration(userAgent: "fueki/\(Version.text)", roots: try authorities.roots)
        configuration.proxy = try proxy()
        return PinProbe(configuration, now: { .now })
    }

    func origin(of host: String) throws(Failure) -> Origin {
        guard let origin = Origin(host: host, port: port) else { throw .usage("invalid host or port: '\(host)'") }
        return origin
    }

    private func proxy() throws(Failure) -> SOCKSProxy? {
        guard let socks else { return nil }
        guard let colon = socks.lastIndex(of: ":"), let port = UInt16(socks[socks.index(after: colon)...]),
            let proxy = SOCKSProxy(host: String(socks[..<colon]), port: port, authentication: .none)
        else { throw .usage("--socks is HOST:PORT") }
        return proxy
    }
}
