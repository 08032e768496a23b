internal import ArgumentParser

/// A command that ends with a result, or with a ``Failure`` that is shown and becomes the exit code.
protocol FuekiCommand: AsyncParsableCommand {
    var global: GlobalOptions { get }

    func perform(_ output: Output) async throws(Failure)
}

extension FuekiCommand {
    func run() async throws {
        let output = Output(json: global.json)
        do {
            try await perform(output)
        } catch {
            output.failure(error)
            throw ExitCode(error.code.rawValue)
        }
    }
}
