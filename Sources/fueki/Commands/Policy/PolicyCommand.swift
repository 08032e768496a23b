internal import ArgumentParser

struct PolicyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy", abstract: "Say what a wallet may sign: check policies, explain what they decide.",
        subcommands: [PolicyCheck.self, PolicyExplain.self, PolicySet.self, PolicyShow.self])
}
