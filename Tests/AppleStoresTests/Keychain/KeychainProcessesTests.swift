internal import Dispatch
internal import Foundation
internal import SecretStoreTestSupport
internal import Secrets
internal import SecureStorage
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import AppleStores

/// Runs processes one call at a time, in an order that a seed determines.
private final class Schedule: Sendable {
    private struct State {
        var waiting: [Int: DispatchSemaphore] = [:]
        var running: Set<Int> = []
        var random: SeededRandom
    }

    private let state: Mutex<State>
    private let changed = DispatchSemaphore(value: 0)

    init(seed: UInt64) { state = Mutex(State(random: SeededRandom(seed: seed))) }

    /// Waits for this process's turn.
    func awaitTurn(of process: Int) {
        let turn = DispatchSemaphore(value: 0)
        state.withLock { state in
            state.running.remove(process)
            state.waiting[process] = turn
        }
        changed.signal()
        turn.wait()
    }

    /// Runs the processes to their ends. - Parameter look: called between any two calls.
    func run(_ processes: [@Sendable () -> Void], look: () throws -> Void) rethrows {
        state.withLock { $0.running = Set(processes.indices) }
        for (number, process) in processes.enumerated() {
            Thread {
                process()
                self.state.withLock { _ = $0.running.remove(number) }
                self.changed.signal()
            }.start()
        }
        while true {
            changed.wait()
            let (isQuiet, isOver) = state.withLock { ($0.running.isEmpty, $0.running.isEmpty && $0.waiting.isEmpty) }
            guard isQuiet else { continue }
            try look()
            if isOver { return }
            state.withLock { state in
                let order = state.waiting.keys.sorted()
                let next = order[state.random.below(order.count)]
                state.running.insert(next)
                state.waiting.removeValue(forKey: next)?.signal()
            }
        }
    }
}

@Suite("Several processes with one keychain")
struct KeychainProcessesTests {
    @Test(
        "in any order of the calls of three processes, some of them killed, the item is whole, and an acknowledged save counts",
        arguments: 0..<300 as Range<UInt64>)
    func anyOrder(_ seed: UInt64) throws {
        let device = FakeDevice()
        let folder = try SharedFolder()
        let random = SeededRandom(seed: seed)
        let draw = { (limit: Int) in random.below(limit) }
        let item = try name("a")
        let protections: [(AccessControlPolicy, ItemAttributes)] = [
            (.none, .sensitive(.other)), (.userPresence, .sensitive(.other)),
            (.none, try ItemAttributes(kind: .other, dataClass: .sensitive, accessibility: .whenUnlocked)),
        ]
        func records(_ keychain: KeychainDouble, _ policy: AccessControlPolicy) throws -> KeychainRecords {
            KeychainRecords(
                items: keychain, namespace: try KeychainNamespace("app"), accessGroup: nil, policy: policy,
                marker: InstallationFile(at: folder("installation")), random: SystemRandom())
        }
        let (policy, attributes) = protections[draw(3)]
        try KeychainSaving(records(KeychainDouble(on: device), policy)).save(
            secret("old"), as: item, attributes: attributes)

        let schedule = Schedule(seed: seed)
        let acknowledged = Mutex(Set<String>())
        let unexpected = Mutex<[SecureStorageError]>([])
        let processes = try (0..<3).map { number -> @Sendable () -> Void in
            let keychain = KeychainDouble(on: device)
            let kill = draw(2) == 0 ? draw(24) : nil
            if let kill { keychain.restart([kill: .kill]) }
            keychain.change { $0.everyCall = { schedule.awaitTurn(of: number) } }
            let (policy, attributes) = protections[draw(3)]
            let saving = KeychainSaving(try records(keychain, policy))
            return {
                for round in 0..<2 {
                    do throws(SecureStorageError) {
                        try saving.save(secret("\(number)-\(round)"), as: item, attributes: attributes)
                        acknowledged.withLock { _ = $0.insert("\(number)-\(round)") }
                    } catch {
                        if !keychain.isDead { unexpected.withLock { $0.append(error) } }
                        return
                    }
                }
            }
        }
        let reader = try records(KeychainDouble(on: device), .none)
        var isReplaced = false
        try schedule.run(processes) {
            isReplaced = isReplaced || acknowledged.withLock { !$0.isEmpty }
            let state = try reader.state(of: item, for: reader.installation())
            let live = try #require(state.live, "the item is gone")
            let seen = text(try reader.secret(of: live, prompt: .allowed(reason: "test")))
            #expect(seen != nil)
            #expect(!isReplaced || seen != "old", "an acknowledged save does not count")
        }
        #expect(unexpected.withLock { $0 }.isEmpty)
        // One more save removes all remains.
        try KeychainSaving(records(KeychainDouble(on: device), .none)).save(
            secret("last"), as: item, attributes: .sensitive(.other))
        let state = try reader.state(of: item, for: reader.installation())
        #expect(state.own.count == 1)
    }
}
