internal import ArgumentParser
internal import Custody
internal import ErrorTexts
internal import Secrets
internal import Terminal
internal import Texts
internal import Wallet

/// A command that ends with a result or a ``Failure``. A failure is shown and determines the exit code.
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

/// A command that queries a node.
protocol NodeCommand: FuekiCommand {
    /// The node, its chain, and the name of the wallet that the query is about.
    var asked: (node: NodeOptions, chain: ChainName, wallet: String) { get }
}

extension NodeCommand {
    /// Adds the node's scheme, host and port to a node's failure.
    fileprivate func naming(_ failure: Failure) -> Failure {
        failure.naming(asked.node, of: asked.chain, try? global.wallet(named: asked.wallet))
    }
}

extension Failure {
    /// Adds the node's scheme, host and port to a node's failure. Returns any other failure unchanged.
    func naming(_ node: NodeOptions, of chain: ChainName, _ wallet: WalletRecord?) -> Failure {
        guard code == .unavailable, let name = node.name(for: chain, wallet) else { return self }
        return naming(node: name)
    }
}

/// The warning about secrets that the system did not lock in memory.
enum UnlockedSecrets {
    /// Returns a warning if such secrets exist; otherwise nil.
    static var warning: String? {
        let unlocked = SecretMemory.state.unlocked
        guard unlocked > 0 else { return nil }
        let limit = SecretMemory.lockLimit.map { " (the limit is \($0 / 1_024) KiB: 'ulimit -l')" } ?? ""
        return
            "\(unlocked / 1_024) KiB of secrets could not be locked in memory\(limit), and the system may write them to "
            + "its swap device; raise the limit, or turn swap off"
    }
}
