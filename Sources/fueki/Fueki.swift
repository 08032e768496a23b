internal import ArgumentParser

@main
struct Fueki: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "fueki")
}
