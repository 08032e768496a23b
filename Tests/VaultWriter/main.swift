// Writes two items of a vault again and again, and says after each write that it is stored: `acknowledged N`.
// Every second write changes both, one as a new item in the place of one that it removes; the others change one of them.
// The crash tests run it, and kill it or make its system calls fail.
//
//     VaultWriter VAULT COUNT [WITNESS-FOLDER]

internal import Secrets
internal import SecureStorage
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

func say(_ text: String) {
    let bytes = [UInt8]((text + "\n").utf8)
    _ = write(1, bytes, bytes.count)
}

func secret(_ text: String) -> SecretBytes {
    var bytes = [UInt8](text.utf8)
    return SecretBytes(moving: &bytes)
}

let arguments = CommandLine.arguments
guard arguments.count >= 3, let count = Int(arguments[2]) else {
    say("usage: VaultWriter VAULT COUNT [WITNESS-FOLDER]")
    exit(2)
}
let freshness: Freshness = arguments.count > 3 ? .witnessed(GenerationFolder(at: arguments[3])) : .unchecked

func run() async -> Int32 {
    do {
        let vault = try VaultFile.open(
            at: arguments[1], passphrase: secret("the writer's passphrase"), freshness: freshness,
            random: SystemRandom())
        let name = try ItemName(service: "test", account: "counter")
        say("opened")
        for number in 1...count {
            if number.isMultiple(of: 2) {
                let twin = try ItemName(service: "test", account: "twin-\(number)")
                let old = try await vault.names(in: "test").filter { $0 != name }
                try await vault.saveAll(
                    [
                        UnsavedItem(secret("\(number)"), as: name, attributes: .critical(.other)),
                        UnsavedItem(secret("\(number)"), as: twin, attributes: .critical(.other)),
                    ], deleting: old)
            } else {
                try await vault.save(secret("\(number)"), as: name, attributes: .critical(.other))
            }
            say("acknowledged \(number)")
        }
        await vault.close()
        say("closed")
        return 0
    } catch {
        say("refused \(error)")
        return 1
    }
}

/// Runs everything, the vault's actor included, on the main thread: strace counts the calls of each thread by itself.
final class MainThread: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    func runForever() -> Never {
        while true {
            guard let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { continue }
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}

let mainThread = MainThread()
Task.detached(executorPreference: mainThread) { exit(await run()) }
mainThread.runForever()
