internal import ArgumentParser
internal import AuthSettings
internal import Terminal

struct SettingsCommand: FuekidCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "List every setting: its name in the file and in the environment, its default.",
        discussion: """
            These are the settings that there are, not those of a server. Needs nothing, and changes nothing.
            """)

    @OptionGroup var options: ServerOptions

    private struct Entry: Encodable {
        let name: String
        let variable: String
        let fallback: String?
        let text: String

        enum CodingKeys: String, CodingKey {
            case name, variable, text
            case fallback = "default"
        }
    }

    func perform(_ output: Output) async throws {
        let all = ServerSetting.all
        try output.result(all.map { Entry(name: $0.name, variable: $0.variable, fallback: $0.fallback, text: $0.text) })
        {
            all.map { setting in
                let fallback = setting.fallback.map { ", default \($0)" } ?? ""
                return "\(setting.name) (\(setting.variable))\(fallback)\n    \(setting.text)"
            }.joined(separator: "\n")
        }
    }
}
