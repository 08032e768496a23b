internal import ArgumentParser

struct PolicyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy",
        abstract: "Set what a wallet may sign, explain decisions, and approve payments.",
        subcommands: [
            PolicyInit.self, PolicyCheck.self, PolicyExplain.self, PolicySet.self, PolicyShow.self, PolicyKey.self,
            PolicyApprove.self,
        ])
}
