internal import ArgumentParser

struct PolicyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy",
        abstract: "Say what a wallet may sign, explain what that decides, and approve what needs it.",
        subcommands: [
            PolicyInit.self, PolicyCheck.self, PolicyExplain.self, PolicySet.self, PolicyShow.self, PolicyKey.self,
            PolicyApprove.self,
        ])
}
