// Has several tasks write to a store, and says after each write that it is durable: `acknowledged TASK NUMBER`.
// The crash tests run it, and kill it or make its system calls fail.
//
//     StoreWriter FILE TASKS FIRST COUNT

internal import AuthAPI
internal import SQLStore

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
guard arguments.count == 5, let tasks = UInt8(arguments[2]), let first = UInt32(arguments[3]),
    let count = UInt32(arguments[4])
else {
    say("usage: StoreWriter FILE TASKS FIRST COUNT")
    exit(2)
}

/// 32 bytes for each half of each write of each task. See `StoreCrashTests`.
@Sendable func value(_ task: UInt8, _ number: UInt32, half: UInt8) -> [UInt8] {
    [UInt8](repeating: task, count: 16) + [UInt8](repeating: half, count: 12)
        + withUnsafeBytes(of: number.bigEndian) { Array($0) }
}

/// Writes two rows, both or none.
@Sendable func write(_ task: UInt8, _ number: UInt32, to store: SQLiteDatabase) async throws {
    try await store.write { transaction in
        for half in UInt8(0)..<2 {
            try WrittenValues.add(value(task, number, half: half), in: transaction)
        }
    }
}

do {
    let store = try await SQLiteDatabase(at: arguments[1])
    try await Migrator.migrate(store, at: Timestamp(milliseconds: 0), to: WrittenValues.migrations)
    say("opened")
    await withTaskGroup(of: Void.self) { group in
        for task in 0..<tasks {
            group.addTask {
                for number in first..<(first + count) {
                    do {
                        try await write(task, number, to: store)
                        say("acknowledged \(task) \(number)")
                    } catch {
                        say("refused \(task) \(number) \(error)")
                    }
                }
            }
        }
    }
    await store.close()
    say("closed")
} catch {
    say("failed \(error)")
    exit(1)
}
