internal import Secrets
internal import TestSupport
internal import Testing

@Suite("Reused guarded memory", .serialized)
struct GuardedMemoryTests {
    @Test(
        "what a secret leaves behind is zeros before the next one is filled",
        arguments: [1, 32, 64, 129, 16_384, 65_536, 65_537])
    func wiped(_ count: Int) {
        for _ in 0..<200 {
            let secret = SecretBytes(count: count) { memory in
                #expect(memory.allSatisfy { $0 == 0 })
                memory.copyBytes(from: [UInt8](repeating: 0xab, count: count))
            }
            #expect(secret.count == count)
        }
    }

    @Test("secrets that live at the same time have separate memory")
    func apart() {
        let random = SeededRandom(seed: 4)
        let first = SecretBytes(count: 32, from: random)
        let second = SecretBytes(count: 32, from: random)
        let isShared = first.withUnsafeBytes { first in
            second.withUnsafeBytes { first.baseAddress == $0.baseAddress }
        }
        #expect(!isShared)
    }

    @Test("many threads allocate and free at once, and none sees another's secret")
    func threads() async {
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<8 {
                group.addTask {
                    (0..<2_000).allSatisfy { round in
                        let byte = UInt8(truncatingIfNeeded: number * 31 + round)
                        let secret = SecretBytes(count: 32) { $0.initializeMemory(as: UInt8.self, repeating: byte) }
                        return secret.withUnsafeBytes { $0.allSatisfy { $0 == byte } }
                    }
                }
            }
            for await isOwn in group { #expect(isOwn) }
        }
    }
}
