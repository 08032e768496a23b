internal import ArgumentParser
internal import Custody
internal import DeviceStores
internal import SecureStorage
internal import Terminal
internal import Texts

/// The choice whether the share of this machine needs the machine's chip.
struct DeviceKeyOption: ParsableArguments {
    /// The chip that the share of this machine needs.
    enum DeviceKey: String, CaseIterable, ExpressibleByArgument {
        case tpm
        case secureEnclave = "secure-enclave"
        case none

        var backend: StoreBackend? {
            switch self {
            case .tpm: .tpm
            case .secureEnclave: .secureEnclave
            case .none: nil
            }
        }
    }

    @Option(
        help: .value(
            "chip",
            "Seal the share of this machine with its chip as well. The share's file then opens on this machine only."))
    var deviceKey: DeviceKey?

    /// Whether the share of this machine is to need the chip.
    ///
    /// - Throws: the failure of a chip that this machine does not have.
    func isBound(in home: WalletHome) async throws(Failure) -> Bool {
        guard let backend = deviceKey?.backend else { return false }
        guard home.device?.backend == backend else {
            throw BackendFault.unavailable(.otherSystem).failure(of: backend)
        }
        // Before a passphrase is typed and keys are made.
        if let fault = await MachineStores.ofThisMachine.fault(of: backend) { throw fault.failure(of: backend) }
        return true
    }

    /// The binding after a renewal.
    func binding(of wallet: WalletRecord, in home: WalletHome) async throws(Failure) -> DeviceShareBinding {
        guard deviceKey != nil else {
            // Before a passphrase is typed and shares are made.
            if let needed = wallet.shares.compactMap(\.device).first,
                let fault = await MachineStores.ofThisMachine.fault(of: needed)
            {
                throw fault.failure(of: needed).advising(
                    "with '--device-key none' the new share of this machine needs the passphrase alone")
            }
            return .asBefore
        }
        return try await isBound(in: home) ? .chip : .passphraseOnly
    }
}
