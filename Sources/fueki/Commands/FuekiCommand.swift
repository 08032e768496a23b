internal import ArgumentParser
internal import Custody
internal import HDKeys
internal import Terminal

/// A command that ends with a result, or with a ``Failure`` that is shown and becomes the exit code.
protocol FuekiCommand: AsyncParsableCommand {
    var global: GlobalOptions { get }

    func perform(_ output: Output) async throws(Failure)
}

extension FuekiCommand {
    func run() async throws {
        let output = Fueki.output(json: global.json, warnings: SecretFiles.warnings(on: self))
        for warning in output.warnings { output.note("warning: \(warning)") }
        defer { if let warning = UnlockedSecrets.warning { output.note("warning: \(warning)") } }
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
    /// The node, its chain, and the name of the wallet that it is asked about.
    var asked: (node: NodeOptions, chain: ChainOption.Name, wallet: String) { get }
}

extension NodeCommand {
    /// What went wrong with a node says with which one: scheme, host and port.
    fileprivate func naming(_ failure: Failure) -> Failure {
        failure.naming(asked.node, of: asked.chain, (try? global.wallet(named: asked.wallet))?.network)
    }
}

extension Failure {
    /// What went wrong with a node, with the node's scheme, host and port; anything else as it is.
    ///
    /// - Parameter network: the wallet's.
    func naming(_ node: NodeOptions, of chain: ChainOption.Name, _ network: Network?) -> Failure {
        guard code == .unavailable, let name = node.name(for: chain, network) else { return self }
        var failure = self
        failure.message += " (the node is \(name))"
        return failure
    }
}
