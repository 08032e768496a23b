// Writes to the store that its first argument names, and reports each durable write. The crash tests run it, and kill
// it or make its system calls fail. A build of the wallet's part has no store, and one of the server's part has only
// the store.

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

let (target, rest) = (CommandLine.arguments.dropFirst().first, Array(CommandLine.arguments.dropFirst(2)))
var usages: [String] = []

#if WRITES_STORE
    usages.append(StoreWrites.usage)
    // Its tasks write concurrently, on separate threads.
    if target == "store", let writes = StoreWrites(rest) { exit(await writes.run()) }
#endif
#if WRITES_WALLET || WRITES_LOG
    let mainThread = MainThread()
#endif
#if WRITES_LOG
    usages.append(LogWrites.usage)
    if target == "log", let writes = LogWrites(rest) {
        Task.detached(executorPreference: mainThread) { exit(await writes.run()) }
        mainThread.runForever()
    }
#endif
#if WRITES_WALLET
    usages += [VaultWrites.usage, RekeyWrite.usage, BookWrites.usage]
    if target == "vault", let writes = VaultWrites(rest) {
        Task.detached(executorPreference: mainThread) { exit(await writes.run()) }
        mainThread.runForever()
    }
    if target == "rekey", let write = RekeyWrite(rest) {
        Task.detached(executorPreference: mainThread) { exit(await write.run()) }
        mainThread.runForever()
    }
    if target == "book", let writes = BookWrites(rest) {
        Task.detached(executorPreference: mainThread) { exit(await writes.run()) }
        mainThread.runForever()
    }
#endif

#if WRITES_EXCHANGE
    usages.append(ExchangeWrites.usage)
    if target == "exchange", let writes = ExchangeWrites(rest) { exit(await writes.run()) }
#endif

for usage in usages { say("usage: CrashWriter \(usage)") }
exit(2)
