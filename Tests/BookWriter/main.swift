// Has a wallet's book admit one payment after the other, and says after each that it was admitted: `admitted N`.
// The crash tests run it, and kill it or make its system calls fail.
//
//     BookWriter HOME WALLET PASSPHRASE COUNT

internal import Amounts
internal import Custody
internal import Ethereum
internal import Secrets
internal import Synchronization
internal import Wallet

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

func say(_ text: String) {
    let bytes = [UInt8]((text + "\n").utf8)
    _ = write(1, bytes, bytes.count)
}

let arguments = CommandLine.arguments
guard arguments.count == 5, let count = UInt64(arguments[4]) else {
    say("usage: BookWriter HOME WALLET PASSPHRASE COUNT")
    exit(2)
}

/// So many wei, with this number of the account.
func payment(_ number: UInt64) throws -> SigningPayload {
    let fees = EthereumTransaction.Fees(maxPriorityFeePerGas: Wei(1), maxFeePerGas: Wei(10))
    return .ethereumTransaction(
        try EthereumTransaction(
            chainID: .ethereum, nonce: number, gasLimit: 21_000,
            to: try EthereumAddress(bytes: [UInt8](repeating: 0xB0, count: 20)), value: Wei(UInt256(number)), data: [],
            kind: .dynamicFee(fees, [])), account: 0)
}

func run() async -> Int32 {
    do {
        let home = WalletHome(path: arguments[1])
        let wallet = try home.wallet(try WalletName(arguments[2]))
        var passphrase = [UInt8](arguments[3].utf8)
        let book = try await WalletBook.open(
            of: wallet, in: home, passphrase: SecretBytes(moving: &passphrase), random: SystemRandom())
        say("opened")
        for number in 1...count {
            let payload = try payment(number)
            let intent = try SigningWork(of: payload, for: wallet.accounts).intent
            try await book.authorizer(now: 1_700_000_000 + number, approvals: [], node: nil)
                .admit(payload, meaning: intent)
            say("admitted \(number)")
        }
        await book.close()
        say("closed")
        return 0
    } catch {
        say("refused \(error)")
        return 1
    }
}

/// Runs everything, actors included, on the main thread: strace counts the calls of each thread by itself.
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
