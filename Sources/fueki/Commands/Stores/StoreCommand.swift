internal import ArgumentParser
internal import DeviceStores
internal import Foundation
internal import SecureStorage
internal import Terminal
internal import Texts

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

    /// Asks a store whether it can be used, before any passphrase is typed.
    func require(_ backend: StoreBackend) async throws(Failure) {
        if let fault = await fault(of: backend) { throw fault.failure(of: backend) }
    }

    /// The same for a store that is left: a TPM that does not protect PINs well must not keep the items.
    func requireToLeave(_ backend: StoreBackend) async throws(Failure) {
        switch await fault(of: backend) {
        case nil, .unavailable(.lockoutAuthorizationEmpty), .unavailable(.weakLockout): return
        case let fault?: throw fault.failure(of: backend)
        }
    }
}

extension Confirmation {
    /// Asks whether a vault file is the newest one, which the counter of a lost chip cannot tell.
    static func askIsNewest(because reason: String) throws(Failure) {
        let about = Wrapped.text(
            "\(reason): only you know that this file is not an old copy, in which revoked keys would work again.")
        guard try ask("Is it the newest one?", about: about, insteadUse: "--yes") else { throw .cancelled() }
    }
}
