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
            let error = (self as? any NodeCommand)?.naming(error) ?? error
            output.failure(error)
            throw ExitCode(error.code.rawValue)
        }
    }
}

/// A command that asks a node.
protocol NodeCommand: FuekiCommand {
    var asked: (node: NodeOptions, chain: ChainOption.Name) { get }
}

extension NodeCommand {
    /// What went wrong with a node says with which one: scheme, host and port.
    fileprivate func naming(_ failure: Failure) -> Failure {
        guard failure.code == .unavailable, let name = asked.node.name(for: asked.chain) else { return failure }
        return Failure(
            code: failure.code, name: failure.name, message: "\(failure.message) (the node is \(name))",
            hint: failure.hint, intent: failure.intent)
    }
}
