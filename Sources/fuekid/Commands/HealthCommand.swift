internal import ArgumentParser
internal import AuthOperations
internal import AuthSettings
internal import Terminal
internal import Texts

struct HealthCommand: FuekidCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Ask the server on this machine whether it answers. For a container's health check.",
        discussion: """
            It asks the address that the settings name, for 5 seconds at most: whether the process answers, and with --ready \
            whether it also reaches its store. Needs no passphrase. Changes nothing.

            EXAMPLE

              fuekid health --home ./auth
            """)

    @Flag(help: "Ask whether it also reaches its store.")
    var ready = false

    @OptionGroup var options: ServerOptions

    private struct Result: Encodable { let status: Int }

    func perform(_ output: Output) async throws {
        let configuration = try options.configuration()
        let question: HealthProbe.Question = ready ? .ready : .alive
        guard let status = try await HealthProbe.ask(question, configuration) else {
            throw Failure(
                code: .unavailable, name: "no_answer", message: "\(configuration.listen): no server answers there")
        }
        guard status == 200 else {
            throw Failure(
                code: .unavailable, name: "not_healthy",
                message: "\(configuration.listen): \(question.rawValue) was answered with \(status)")
        }
        try output.result(Result(status: status)) { ready ? "ready" : "alive" }
    }
}
