internal import ArgumentParser
internal import AuthOperations
internal import AuthSettings
internal import Terminal
internal import Texts

/// A command that ends with a result or a ``Failure``. A failure is shown and determines the exit code.
protocol FuekidCommand: AsyncParsableCommand {
    var options: ServerOptions { get }

    func perform(_ output: Output) async throws
}

extension FuekidCommand {
    func run() async throws {
        let output = Fuekid.output(json: options.json)
        do {
            try await perform(output)
        } catch {
            let failure = failure(of: error)
            output.failure(failure)
            throw ExitCode(failure.code.rawValue)
        }
    }

    private func failure(of error: any Error) -> Failure {
        if let failure = error as? Failure { return failure }
        let store = (try? options.configuration())?.store ?? .sqlite(path: "auth.sqlite")
        return Failure(OperationFailure(error, home: options.serverHome, store: store))
    }
}
