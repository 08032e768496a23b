internal import ArgumentParser
internal import PinnedHTTP
internal import Presentation
internal import Terminal
internal import Texts

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
