internal import Foundation
public import Secrets
public import SecureStorage

/// An examination of this machine and of one folder: whether keys and secrets are as safe here as Fueki can make them.
///
/// It changes nothing, opens no store and asks for no passphrase.
public struct Doctor: Sendable {
    private let stores: MachineStores
    private let home: String
    private let store: StoreHome
    private let wallets: [(name: String, chip: StoreBackend)]
    private let flaw: @Sendable () -> RandomHealth.Flaw?

    /// Creates an examination.
    ///
    /// - Parameters:
    ///   - home: the path of the folder with the user's wallets.
    ///   - store: the store of the user's credentials.
    ///   - wallets: the wallets whose share on this machine needs a chip.
    public init(
        of stores: MachineStores, home: String, store: StoreHome, wallets: [(name: String, chip: StoreBackend)],
        random: some RandomSource
    ) {
        self.stores = stores
        self.home = home
        self.store = store
        self.wallets = wallets
        flaw = { RandomHealth.flaw(of: random) }
    }

    /// A finding about the machine or the folder.
    public enum Finding: Equatable, Sendable {
        /// A store or chip, and whether it can be used.
        case backend(BackendReport)
        /// The place of the credentials, and the reason why it cannot be used; nil if it can.
        case currentStore(StoreBackend, BackendFault?)
        /// The credentials are not as they should be: the file that names their place cannot be read, the store is missing,
        /// or it is an old copy.
        case brokenStore(SecureStorageError)
        /// A wallet whose share on this machine needs a chip, and the reason why that cannot be used; nil if it can.
        case wallet(name: String, chip: StoreBackend, BackendFault?)
        /// A migration of the store waits: for its end, or for a confirmation.
        case migration(from: StoreBackend, to: StoreBackend, isMoved: Bool)
        /// The number of counters in the TPM that interrupted commands may have left: no store needs them.
        case leftCounters(Int)
        /// Whether the memory of secrets is locked against swapping, and whether the machine swaps.
        case secretMemory(isLocked: Bool, swaps: Bool)
        /// The mode of the folder: other users can read it.
        case openFolder(mode: Int)
        /// The result of the health tests of the random generator.
        case randomness(isHealthy: Bool)

        /// The weight of the finding.
        public var severity: Severity {
            switch self {
            case .backend: .note
            case .currentStore(_, let fault): fault == nil ? .good : .problem
            case .brokenStore: .problem
            case .wallet(_, _, let fault): fault == nil ? .good : .problem
            case .migration: .warning
            case .leftCounters: .note
            case .secretMemory(let isLocked, let swaps): isLocked ? .good : swaps ? .warning : .note
            case .openFolder: .warning
            case .randomness(let isHealthy): isHealthy ? .good : .problem
            }
        }
    }

    /// How much a finding matters.
    public enum Severity: String, Equatable, Sendable {
        /// As it should be.
        case good
        /// Something to know.
        case note
        /// Something to change when there is time.
        case warning
        /// Something that keeps Fueki from working, or makes it unsafe.
        case problem
    }

    /// Examines the machine. Each store and chip has its time limit.
    public func examine() async -> [Finding] {
        let reports = await stores.reports()
        let shares = wallets.map { wallet in
            Finding.wallet(
                name: wallet.name, chip: wallet.chip, reports.first { $0.backend == wallet.chip }.flatMap(\.fault))
        }
        return [await current(among: reports)] + shares + migration() + leftCounters() + memory() + folder()
            + randomness()
            + reports.map { .backend($0) }
    }

    private func current(among reports: [BackendReport]) async -> Finding {
        do throws(SecureStorageError) {
            let record = try store.record()
            let backend = try store.backend()
            if let fault = reports.first(where: { $0.backend == backend })?.fault {
                return .currentStore(backend, fault)
            }
            let place = try store.place()
            // A first vault file may not have been made yet.
            let presence = try await place.presence()
            if presence != .absent || record != nil { try await place.requireIntact() }
            return .currentStore(backend, nil)
        } catch { return .brokenStore(error) }
    }

    private func migration() -> [Finding] {
        // A damaged file is a finding of the store itself.
        guard let migration = try? store.migration() else { return [] }
        return [
            .migration(
                from: migration.sourceBackend, to: migration.destination.backend,
                isMoved: (try? store.isMoved(migration)) ?? false)
        ]
    }

    private func leftCounters() -> [Finding] {
        guard let count = try? store.leftCounters(), count > 0 else { return [] }
        return [.leftCounters(count)]
    }

    private func memory() -> [Finding] {
        // The state is that of the memory which the process has used so far.
        _ = SecretBytes(count: 32) { _ in }
        return [.secretMemory(isLocked: SecretMemory.state.unlocked == 0, swaps: Self.swaps)]
    }

    /// Whether the machine writes memory to a disk when it runs short. False where the system does not say.
    private static var swaps: Bool {
        guard let text = try? String(contentsOfFile: "/proc/swaps", encoding: .utf8) else { return false }
        return text.split(separator: "\n").dropFirst().contains { !$0.hasPrefix("/dev/zram") }
    }

    private func folder() -> [Finding] {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: home),
            let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue, mode & 0o077 != 0
        else { return [] }
        return [.openFolder(mode: mode)]
    }

    private func randomness() -> [Finding] {
        [.randomness(isHealthy: flaw() == nil)]
    }
}
