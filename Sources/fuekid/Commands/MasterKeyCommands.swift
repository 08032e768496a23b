internal import ArgumentParser
internal import AuthOperations
internal import Terminal

struct AddMasterKeyCommand: FuekidCommand {
    static let configuration = CommandConfiguration(
        commandName: "add-master-key",
        abstract: "Add a master key to the vault, with which servers seal that are started from then on.",
        discussion: """
            Then copy master.vault to every server of the same store, restart each, and only then run `fuekid reseal`: a server \
            that was not restarted does not have the key. The older keys stay in the vault: backups are sealed with them.

            Needs the passphrase. Changes master.vault, and nothing else.

            EXAMPLE

              fuekid add-master-key --home ./auth
            """)

    @OptionGroup var options: ServerOptions

    private struct Result: Encodable { let number: UInt32 }

    func perform(_ output: Output) async throws {
        let number = try await MasterKeyRotation.addKey(
            home: options.serverHome, passphrase: try options.passphrase())
        try output.receipt(Result(number: number)) {
            "master key \(number) was added: restart every server, then run `fuekid reseal`"
        }
    }
}

struct ResealCommand: FuekidCommand {
    static let configuration = CommandConfiguration(
        commandName: "reseal",
        abstract: "Seal all that the store has with the newest master key. Restart every server before.",
        discussion: """
            Servers may be running. Whatever interrupts it, everything opens, and the next run goes on. When it says that 0 \
            values were sealed, nothing in the store needs an older key.

            Needs the passphrase. Changes the store.

            EXAMPLE

              fuekid reseal --home ./auth
            """)

    @OptionGroup var options: ServerOptions

    private struct Result: Encodable { let sealed: Int }

    func perform(_ output: Output) async throws {
        let configuration = try options.configuration()
        let count = try await MasterKeyRotation.reseal(
            configuration, home: options.serverHome, passphrase: try options.passphrase())
        try output.receipt(Result(sealed: count)) { "\(count) values were sealed anew" }
    }
}
