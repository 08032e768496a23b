internal import Secrets
internal import TestSupport
internal import Testing

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

@Suite("Secret bytes")
struct SecretBytesTests {
    private struct Refused: Error, Equatable {}

    private func secret(_ bytes: [UInt8]) -> SecretBytes {
        var bytes = bytes
        return SecretBytes(moving: &bytes)
    }

    private func bytes(of secret: borrowing SecretBytes) -> [UInt8] { secret.withUnsafeBytes { Array($0) } }

    @Test("memory is zeros before it is filled, and keeps its contents", arguments: [0, 1, 31, 32, 4096, 100_000])
    func filling(_ count: Int) {
        let secret = SecretBytes(count: count) { memory in
            #expect(memory.count == count)
            #expect(memory.allSatisfy { $0 == 0 })
            for offset in memory.indices { memory[offset] = UInt8(truncatingIfNeeded: offset &* 31) }
        }
        #expect(secret.count == count)
        #expect(bytes(of: secret) == (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    }

    @Test("an error of the filler is rethrown")
    func throwingFiller() {
        #expect(throws: Refused()) {
            _ = try SecretBytes(count: 32) { _ throws(Refused) in throw Refused() }
        }
    }

    @Test("an error of a borrower is rethrown, and the secret is intact")
    func throwingBorrower() {
        let secret = secret([1, 2, 3])
        #expect(throws: Refused()) { try secret.withUnsafeBytes { _ throws(Refused) in throw Refused() } }
        #expect(bytes(of: secret) == [1, 2, 3])
    }

    @Test("moving takes the bytes and empties the array")
    func moving() {
        var source: [UInt8] = [1, 2, 3]
        let secret = SecretBytes(moving: &source)
        #expect(source.isEmpty)
        #expect(bytes(of: secret) == [1, 2, 3])
        var nothing: [UInt8] = []
        let empty = SecretBytes(moving: &nothing)
        #expect(empty.count == 0)
    }

    @Test("a clone has the same bytes in other memory, and outlives the first")
    func cloning() {
        func cloned() -> SecretBytes {
            let first = secret([1, 2, 3])
            let second = first.clone()
            let isShared = first.withUnsafeBytes { first in
                second.withUnsafeBytes { first.baseAddress == $0.baseAddress }
            }
            #expect(!isShared)
            return second
        }
        #expect(bytes(of: cloned()) == [1, 2, 3])
    }

    @Test("a part has its bytes and outlives the whole, and a part out of range is refused")
    func parts() async {
        func part(_ offset: Int, _ length: Int) -> SecretBytes { secret([1, 2, 3, 4]).part(offset, length) }
        #expect(bytes(of: part(0, 4)) == [1, 2, 3, 4])
        #expect(bytes(of: part(1, 2)) == [2, 3])
        #expect(bytes(of: part(4, 0)) == [])
        #expect(bytes(of: secret([1, 2, 3, 4]).prefix(3)) == [1, 2, 3])
        for part in [[0, 5], [3, 2], [5, 0], [-1, 2], [2, -1], [1, .max]] {
            await #expect(processExitsWith: .failure, "\(part)") { [part = part as [Int]] in
                _ = SecretBytes(count: 4, from: SystemRandom()).part(part[0], part[1])
            }
        }
    }

    @Test("random secrets come from the source that is passed")
    func random() {
        let first = SecretBytes(count: 32, from: SeededRandom(seed: 1))
        let same = SecretBytes(count: 32, from: SeededRandom(seed: 1))
        let other = SecretBytes(count: 32, from: SeededRandom(seed: 2))
        #expect(bytes(of: first) == bytes(of: same))
        #expect(bytes(of: first) != bytes(of: other))
    }

    @Test("the system's random bytes fill the whole buffer, and differ each time")
    func systemRandom() {
        let random = SystemRandom()
        #expect(random.publicBytes(count: 32) != random.publicBytes(count: 32))
        #expect(random.publicBytes(count: 0).isEmpty)
        // Of 4096 bytes one in 256 is zero; more than 64 of them are not by chance.
        #expect(random.publicBytes(count: 4096).count { $0 == 0 } < 64)
    }

    @Test("every way to print it shows its size and nothing else")
    func printing() {
        let secret = secret(Array("correct horse".utf8))
        #expect(secret.description == "<redacted 13 bytes>")
        #expect("\(secret)" == "<redacted 13 bytes>")
        #expect("key: \(secret)!" == "key: <redacted 13 bytes>!")
    }

    @Test("secrets match when size and bytes are the same")
    func matching() {
        let secret = secret([1, 2, 3])
        for (other, isSame) in [
            ([1, 2, 3], true), ([1, 2, 4], false), ([0, 2, 3], false), ([1, 2], false), ([1, 2, 3, 0], false),
            ([], false),
        ] as [([UInt8], Bool)] {
            let matches = secret.matches(self.secret(other))
            #expect(matches == isSame, "\(other)")
        }
        let itself = secret.matches(secret)
        #expect(itself)
        let empty = self.secret([]).matches(self.secret([]))
        #expect(empty)
    }

    // MARK: Guard pages. The process ends, so each test runs in its own process.

    @Test("writing to a filled secret ends the process")
    func writing() async {
        await #expect(processExitsWith: .failure) {
            let secret = SecretBytes(count: 32, from: SystemRandom())
            secret.withUnsafeBytes { UnsafeMutableRawBufferPointer(mutating: $0)[0] = 1 }
            exit(0)
        }
    }

    @Test("reading past the end ends the process")
    func readingPastTheEnd() async {
        await #expect(processExitsWith: .failure) {
            let secret = SecretBytes(count: 32, from: SystemRandom())
            let byte = secret.withUnsafeBytes { $0.baseAddress?.load(fromByteOffset: 32, as: UInt8.self) }
            exit(Int32(byte ?? 0) & 0)
        }
    }

    @Test("a filler that writes before the beginning ends the process when the secret is freed")
    func canary() async {
        await #expect(processExitsWith: .failure) {
            do {
                let secret = SecretBytes(count: 32) { memory in
                    // Any value: a fixed byte could be the canary's own.
                    guard let base = memory.baseAddress else { return }
                    let other = ~base.load(fromByteOffset: -1, as: UInt8.self)
                    base.storeBytes(of: other, toByteOffset: -1, as: UInt8.self)
                }
                _ = secret.count
            }
            exit(0)
        }
    }

    @Test("control: a process that uses a secret correctly continues")
    func control() async {
        await #expect(processExitsWith: .success) {
            do {
                let secret = SecretBytes(count: 32, from: SystemRandom())
                _ = secret.withUnsafeBytes { $0.baseAddress?.load(fromByteOffset: 31, as: UInt8.self) }
            }
            exit(0)
        }
    }
}

@Suite("Comparing in constant time")
struct ConstantTimeTests {
    @Test("a difference in any bit of any byte is detected")
    func everyBit() {
        let bytes = SeededRandom(seed: 9).publicBytes(count: 40)
        #expect(constantTimeEquals(bytes, Array(bytes)))
        for position in bytes.indices {
            for bit in 0..<8 {
                var other = bytes
                other[position] ^= 1 << bit
                #expect(!constantTimeEquals(bytes, other))
                #expect(!constantTimeEquals(other, bytes))
            }
        }
    }

    @Test("strings of different sizes are unequal, also when one begins with the other")
    func sizes() {
        #expect(!constantTimeEquals([1, 2], [1, 2, 3]))
        #expect(!constantTimeEquals([1, 2, 3], [1, 2]))
        #expect(!constantTimeEquals([], [0]))
        #expect(!constantTimeEquals([0], []))
        #expect(constantTimeEquals([], []))
    }

    @Test("buffers are compared by their contents, empty ones too")
    func buffers() {
        let bytes: [UInt8] = [1, 2, 1, 2]
        bytes.withUnsafeBytes { bytes in
            let halves = (UnsafeRawBufferPointer(rebasing: bytes[..<2]), UnsafeRawBufferPointer(rebasing: bytes[2...]))
            #expect(constantTimeEquals(halves.0, halves.1))
            #expect(!constantTimeEquals(halves.0, bytes))
        }
        let empty = UnsafeRawBufferPointer(start: nil, count: 0)
        #expect(constantTimeEquals(empty, empty))
        wipe(UnsafeMutableRawBufferPointer(start: nil, count: 0))
    }
}
