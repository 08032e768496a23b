internal import ArgumentParser
internal import PinnedHTTP
internal import Presentation
internal import Terminal
internal import Texts

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
