internal import ArgumentParser
internal import PinnedHTTP
internal import Presentation
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

struct PinsShow: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the pins of a server's certificates.",
        discussion: """
            Connects, validates the certificates, sends nothing, and prints the pin of each key: first the server's own, \
            last the root's. Pin a root or an intermediate, and a backup. Compare the pins with a second source before \
            you publish them: this connection may have been intercepted.

            EXAMPLE
              fueki pins show api.example.org
            """)

    @Argument(help: "The host.")
    var host: String

    @OptionGroup var probe: ProbeOptions
    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        let origin = try probe.origin(of: host)
        let probe = try probe.probe()
        let served = try await attempt { () async throws(HTTPFailure) in try await probe.certificates(of: origin) }
        try output.result(ServedPinsView(host: origin.host, served))
    }
}

struct PinsCheck: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check a pin policy against its servers.",
        discussion: """
            Connects to each host of the policy, validates the certificates, sends nothing, and reports pins that would \
            lock users out, backups that are in use, and pins that expire. The exit code is 2 if there is something to \
            report. docs/formats/pins.md describes the file.

            EXAMPLE
              fueki pins check pins.json
            """)

    @Argument(help: "The policy: JSON; '-' is standard input.", completion: .file(extensions: ["json"]))
    var file: String

    @OptionGroup var probe: ProbeOptions
    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        let bytes = try InputFile.read(file)
        let policy = try attempt(on: file) { () throws(PinPolicy.Fault) in try PinPolicy(decoding: bytes) }
        let view = PinChecksView(try await probe.probe().check(policy, port: probe.port))
        try output.result(view)
        guard view.isClean else {
            throw Failure(code: .refused, name: "pins_need_attention", message: "the policy needs attention")
        }
    }
}
