internal import ArgumentParser
internal import AuthServer

struct AddMasterKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add-master-key",
        abstract: "Add a master key to the vault, with which servers seal that are started from then on.",
        discussion: """
            Copy master.vault to every replica, restart each, and then run `fuekid reseal`. The older keys stay in the vault: \
            backups are sealed with them.
            """)

    @OptionGroup var options: ServerOptions

    func run() async throws {
        do {
            let number = try await MasterKeyRotation.addKey(
                home: options.serverHome, passphrase: try options.passphrase())
            say("master key \(number) was added: restart every server, then run `fuekid reseal`")
        } catch {
            throw Failure(error)
        }
    }
}

struct ResealCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reseal",
        abstract: "Seal all that the store has with the newest master key. Restart every server before.")

    @OptionGroup var options: ServerOptions

    func run() async throws {
        let configuration = try options.configuration()
        do {
            let count = try await MasterKeyRotation.reseal(
                configuration, home: options.serverHome, passphrase: try options.passphrase())
            say("\(count) values were sealed anew")
        } catch {
            throw Failure(error)
        }
    }
}
