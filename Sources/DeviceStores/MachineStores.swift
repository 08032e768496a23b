internal import Keyrings
public import SecureStorage

#if canImport(Security)
    internal import AppleStores
#endif

/// The stores and chips of this machine: which exist, which one is the default, and how a recorded one is opened.
///
/// Nothing is touched before it is used: a command that needs no store starts no service and asks no chip.
public struct MachineStores: Sendable {
    private let environment: [String: String]
    private let chip: Chip
    /// The registers of the TPM that new stores are bound to.
    private let registers: [Int]

    /// The store of an app that chose none: the vault file on Linux, and on Apple's systems the keychain. The command on
    /// a Mac takes `StoreBackend.secureEnclave`, because keychain items need an entitlement.
    public static var standard: StoreBackend {
        #if canImport(Security)
            .keychain
        #else
            .vault
        #endif
    }

    /// The register of a TPM that new stores are bound to unless the user says otherwise: 7, the state of Secure Boot.
    public static let standardRegisters = [7]

    /// Creates the value. Touches nothing.
    ///
    /// - Parameters:
    ///   - environment: the variables of the process. `FUEKI_TPM` is the address of the TPM, `device:/dev/tpmrm0` by
    ///     default; the session bus is found as D-Bus does.
    ///   - registers: the registers of the TPM, 0...15, that new stores are bound to; empty for none.
    public init(environment: [String: String], registers: [Int] = standardRegisters) {
        self.environment = environment
        self.registers = registers
        chip = Chip(address: environment["FUEKI_TPM"])
    }

    /// The chip that can seal the share of this machine: the TPM, or the Secure Enclave. It is not bound to registers, so
    /// that an update of the firmware costs no share.
    public var sealer: (any DeviceSealer)? { try? chip.sealer(boundTo: []) }

    /// Returns the place of a store.
    ///
    /// - Parameters:
    ///   - record: the recorded place; nil for the first vault file.
    ///   - stem: the path of its files without an ending.
    /// - Throws: `BackendFault.unavailable(_:)` for a place of another system, as `SecureStorageError.backend(_:_:)`.
    public func place(of record: StoreRecord?, at stem: String) throws(SecureStorageError) -> any StorePlace {
        guard let record else { return VaultPlace(stem: stem) }
        let own = "\(stem)-\(record.namespace)"
        switch record.backend {
        case .vault: return VaultPlace(stem: own)
        case .tpm, .secureEnclave:
            guard let sealer = try chip.sealer(boundTo: registers), sealer.backend == record.backend else {
                throw .backend(record.backend, .unavailable(.otherSystem))
            }
            return VaultPlace(stem: own, device: sealer, counter: try chip.counter())
        case .secretService, .keychain:
            guard let store = sessionStore, store.backend == record.backend else {
                throw .backend(record.backend, .unavailable(.otherSystem))
            }
            return SharedPlace(in: store, namespace: record.namespace, lockPath: own)
        case .kernelKeyring, .memory: throw .backend(record.backend, .sessionOnly)
        case .software: throw .backend(.software, .unsupported)
        }
    }

    /// The store of the user's session: the Secret Service, or the keychain.
    private var sessionStore: (any SecretStore)? {
        #if canImport(Security)
            KeychainStore.ofCommand
        #else
            SecretServiceStore(environment: environment, prompting: .changes(limit: SecureStorage.Limits.prompt))
        #endif
    }

    /// Asks every store and chip whether it can be used. Each answer comes within the time limit of one call; no store is
    /// unlocked or written to, and no prompt is shown.
    public func reports() async -> [BackendReport] {
        async let service = report(.secretService, [.store])
        async let keyring = report(.kernelKeyring, [.sessionCache])
        async let tpm = tpmReport()
        async let keychain = report(.keychain, [.store])
        async let enclave = report(.secureEnclave, [.store, .deviceShare, .signingKeys])
        return await [
            BackendReport(.vault, [.store], fault: nil), service, tpm, keyring, keychain, enclave,
            BackendReport(.software, [.signingKeys], fault: nil),
        ]
    }

    /// Returns the reason why one store or chip cannot be used now; nil if it can.
    public func fault(of backend: StoreBackend) async -> BackendFault? {
        switch backend {
        case .vault, .software, .memory: nil
        case .secretService:
            await SecretServiceStore(environment: environment, prompting: .never).unavailability()
        case .kernelKeyring: await KernelKeyring(lifetime: nil).unavailability()
        case .tpm: await chip.tpmFault()
        case .keychain, .secureEnclave: await chip.appleFault(of: backend)
        }
    }

    private func tpmReport() async -> BackendReport {
        let protection = await chip.tpmProtection()
        return BackendReport(
            .tpm, [.store, .deviceShare, .signingKeys], fault: protection.fault,
            daysToTryAllPINs: protection.daysToTryAllPINs)
    }

    private func report(_ backend: StoreBackend, _ uses: [BackendReport.Use]) async -> BackendReport {
        BackendReport(backend, uses, fault: await fault(of: backend))
    }
}

/// What one store or chip of this machine can be used for.
public struct BackendReport: Equatable, Sendable {
    /// A use of a store or chip.
    public enum Use: String, Equatable, Sendable {
        /// Credentials are kept there.
        case store
        /// The share of this machine is sealed with it.
        case deviceShare = "device-share"
        /// Signing keys stay in it.
        case signingKeys = "signing-keys"
        /// Items are kept there until the session ends.
        case sessionCache = "session-cache"
    }

    /// The store or chip.
    public let backend: StoreBackend
    /// Its uses.
    public let uses: [Use]
    /// The reason why it cannot be used now; nil if it can.
    public let fault: BackendFault?
    /// The days in which a program that never stops tries all PINs of four digits; nil for a place that does not count them.
    public let daysToTryAllPINs: Int?

    init(_ backend: StoreBackend, _ uses: [Use], fault: BackendFault?, daysToTryAllPINs: Int? = nil) {
        self.daysToTryAllPINs = daysToTryAllPINs
        self.backend = backend
        self.uses = uses
        self.fault = fault
    }
}
