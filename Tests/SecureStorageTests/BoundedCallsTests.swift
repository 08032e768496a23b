internal import Dispatch
internal import Secrets
internal import Testing

@testable internal import SecureStorage

@Suite("Calls of a backend that may hang")
struct BoundedCallsTests {
    @Test("an answer in time is returned, also a secret, and an error is thrown")
    func answers() async throws {
        let calls = BoundedCalls(to: .memory, limit: .seconds(600))
        let value = try await calls.run { () throws(SecureStorageError) in SecretBytes(count: 3) { $0[0] = 7 } }
        #expect(value.withUnsafeBytes { $0[0] } == 7)
        #expect(try calls.runBlocking { () throws(SecureStorageError) in 5 } == 5)
        await #expect(throws: SecureStorageError.closed) {
            try await calls.run { () throws(SecureStorageError) -> Int in throw .closed }
        }
    }

    @Test("a call that never returns ends at its deadline, later ones end at once, and none of them is begun")
    func hangs() async throws {
        let calls = BoundedCalls(to: .secretService, limit: .milliseconds(20))
        let release = DispatchSemaphore(value: 0)
        let timedOut = SecureStorageError.backend(.secretService, .timedOut)
        await #expect(throws: timedOut) {
            try await calls.run { () throws(SecureStorageError) in release.wait() }
        }
        let begun = OneShot(true)
        for _ in 0..<3 {
            #expect(throws: timedOut) {
                try calls.runBlocking { () throws(SecureStorageError) in _ = begun.take() }
            }
        }
        release.signal()
        // The service answers again: the verdict is not for ever.
        let patient = BoundedCalls(to: .secretService, limit: .seconds(600))
        #expect(try await patient.run { () throws(SecureStorageError) in 1 } == 1)
        while (try? calls.runBlocking({ () throws(SecureStorageError) in 1 })) == nil { await Task.yield() }
        #expect(begun.take() == true)
    }

    @Test("no more calls wait behind a slow one than the limit")
    func waitingCalls() async throws {
        let calls = BoundedCalls(to: .secretService, limit: .seconds(600))
        let release = DispatchSemaphore(value: 0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<Limits.backendCallsWaiting {
                group.addTask { try await calls.run { () throws(SecureStorageError) in release.wait() } }
            }
            while calls.waiting < Limits.backendCallsWaiting { await Task.yield() }
            await #expect(throws: SecureStorageError.backend(.secretService, .timedOut)) {
                try await calls.run { () throws(SecureStorageError) in 1 }
            }
            for _ in 0..<Limits.backendCallsWaiting { release.signal() }
            try await group.waitForAll()
        }
    }
}
