internal import ArgumentParser
internal import DeviceStores
internal import Foundation

struct StoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store", abstract: "Show and choose the place where credentials are kept.",
        discussion: """
            Credentials are the API keys of exchanges. By default they are in a vault file under a passphrase. They can also \
            be in the Secret Service of the desktop, or in a vault that needs the TPM of this machine and a PIN. The shares \
            of wallets are not in it: see --device-key of 'fueki wallet create'.
            """,
        subcommands: [StoreBackends.self, StoreMigrate.self, StoreReseal.self])
}

extension MachineStores {
    /// The stores and chips of this machine.
    static let ofThisMachine = MachineStores(environment: ProcessInfo.processInfo.environment)
}
