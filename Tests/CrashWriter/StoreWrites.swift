internal import SQLStore
internal import Time

/// Makes several tasks write to a store, and reports each durable write: `acknowledged TASK NUMBER`.
struct StoreWrites {
    static let usage = "store FILE TASKS FIRST COUNT"

    private let file: String
    private let tasks: UInt8
    private let numbers: Range<UInt32>

    init?(_ arguments: [String]) {
        guard arguments.count == 4, let tasks = UInt8(arguments[1]), let first = UInt32(arguments[2]),
            let count = UInt32(arguments[3])
        else { return nil }
        (file, self.tasks, numbers) = (arguments[0], tasks, first..<(first + count))
    }

    func run() async -> Int32 {
        do {
            // Its threads wait for each other, on a machine that may be busy.
            let store = try await SQLiteDatabase(at: file, lockSeconds: 600)
            try await Migrator.migrate(store, at: Timestamp(milliseconds: 0), to: WrittenValues.migrations)
            say("opened")
            await withTaskGroup(of: Void.self) { group in
                for task in 0..<tasks {
                    group.addTask {
                        for number in numbers {
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
            return 0
        } catch {
            say("failed \(error)")
            return 1
        }
    }

    /// Writes two rows, both or none.
    private func write(_ task: UInt8, _ number: UInt32, to store: SQLiteDatabase) async throws {
        try await store.write { transaction in
            for half in UInt8(0)..<2 {
                try WrittenValues.add(value(task, number, half: half), in: transaction)
            }
        }
    }

    /// Returns the 32 bytes of each half of each write of each task. See `StoreCrashTests`.
    private func value(_ task: UInt8, _ number: UInt32, half: UInt8) -> [UInt8] {
        [UInt8](repeating: task, count: 16) + [UInt8](repeating: half, count: 12)
            + withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}
