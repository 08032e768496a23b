import TestSupport
import Testing

@testable import Time

@Suite("The lock for code that awaits")
struct AsyncLockTests {
    private actor Record {
        private(set) var numbers: [Int] = []
        private(set) var inside = 0
        private(set) var most = 0

        func enter(_ number: Int) {
            numbers.append(number)
            inside += 1
            most = max(most, inside)
        }

        func leave() { inside -= 1 }
    }

    @Test("one task at a time has the lock, also while it awaits")
    func exclusion() async {
        let lock = AsyncLock()
        let record = Record()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask {
                    await lock.lock()
                    await record.enter(number)
                    for _ in 0..<10 { await Task.yield() }
                    await record.leave()
                    lock.unlock()
                }
            }
        }
        #expect(await record.most == 1)
        #expect(await record.numbers.sorted() == Array(0..<50))
    }

    @Test("the lock passes to the tasks in the order of their asking, a cancelled task included")
    func order() async throws {
        let lock = AsyncLock()
        await lock.lock()
        let record = Record()
        var tasks: [Task<Void, Never>] = []
        for number in 0..<5 {
            tasks.append(
                Task {
                    await lock.lock()
                    await record.enter(number)
                    lock.unlock()
                })
            try await Patience.wait(for: "the task to wait") { lock.waitingCount == number + 1 }
        }
        tasks[2].cancel()
        lock.unlock()
        for task in tasks { await task.value }
        #expect(await record.numbers == [0, 1, 2, 3, 4])
        await lock.lock()
        lock.unlock()
    }
}
