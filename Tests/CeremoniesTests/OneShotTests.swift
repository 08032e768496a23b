import Secrets
import Synchronization
import Testing

@testable import Ceremonies
@testable import CeremoniesTestSupport

/// A byte buffer that two closures of a test share.
final class OneShotBytes: Sendable {
    private let bytes = Mutex<[UInt8]>([])
    func set(_ new: [UInt8]) { bytes.withLock { $0 = new } }
    func get() -> [UInt8] { bytes.withLock { $0 } }
}

@Suite("OneShot")
struct OneShotTests {
    private struct Token: ~Copyable, Sendable {
        let number = 7
    }

    @Test("the value is taken once")
    func once() {
        let shot = OneShot(Token())
        func number() -> Int? {
            guard let token = shot.take() else { return nil }
            return token.number
        }
        let taken = [number(), number(), number()]
        #expect(taken == [7, nil, nil])
    }

    @Test("of many concurrent calls one gets the value")
    func race() async {
        for _ in 0..<50 {
            let shot = OneShot(Token())
            let count = await withTaskGroup(of: Int.self) { group in
                for _ in 0..<8 { group.addTask { shot.take() == nil ? 0 : 1 } }
                return await group.reduce(0, +)
            }
            #expect(count == 1)
        }
    }
}
