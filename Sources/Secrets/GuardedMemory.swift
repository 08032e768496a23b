internal import CSodium
internal import Synchronization

/// Regions from `sodium_malloc`, of which small ones are kept for the next secret of the same size.
///
/// To map, lock and fence a region takes about 30 µs, to make one that is there writable or read-only about 1 µs; and a
/// threshold signature needs some thirty. What is kept is wiped, and still locked and fenced.
enum GuardedMemory {
    /// Zeros that may be written, with a guard page right behind them and a canary in front.
    static func take(_ count: Int) -> UnsafeMutableRawPointer {
        Sodium.start()
        if let spare = spares.withLock({ $0.take(count) }) { return spare }
        guard let region = sodium_malloc(canary.count + count) else {
            fatalError("no memory left for a secret of \(count) bytes")
        }
        sodium_memzero(region, canary.count + count)
        UnsafeMutableRawBufferPointer(start: region, count: canary.count).copyBytes(from: canary)
        return region + canary.count
    }

    /// Makes a region read-only: a stray pointer that tries to write is stopped by the hardware.
    static func seal(_ memory: UnsafeMutableRawPointer) {
        sodium_mprotect_readonly(memory - canary.count)
    }

    /// Wipes a region, and keeps it or gives it back to the system.
    static func giveBack(_ memory: UnsafeMutableRawPointer, _ count: Int, isSealed: Bool) {
        let region = memory - canary.count
        if isSealed { sodium_mprotect_readwrite(region) }
        sodium_memzero(memory, count)
        let isWhole = canary.withUnsafeBytes {
            constantTimeEquals($0, UnsafeRawBufferPointer(start: region, count: $0.count))
        }
        precondition(isWhole, "something wrote in front of a secret")
        if !spares.withLock({ $0.keep(memory, count) }) { sodium_free(region) }
    }

    /// 16 random bytes in front of each secret, which nothing changes.
    private static let canary = SystemRandom().publicBytes(count: 16)

    private static let spares = Mutex(Spares())
}

/// The regions that are kept, by size.
private struct Spares: @unchecked Sendable {
    // `@unchecked`: whoever takes a region is the only one who has it.

    /// The largest secret whose region is kept: the rows of an oblivious transfer have some ten thousand bytes.
    private static let largest = 65_536
    /// How many are kept of each size.
    private static let count = 64
    /// How many bytes are kept in all: a fraction of the megabytes that the system lets a process lock.
    private static let total = 1_048_576

    private var regions: [Int: [UnsafeMutableRawPointer]] = [:]
    private var bytes = 0

    mutating func take(_ count: Int) -> UnsafeMutableRawPointer? {
        guard let region = regions[count]?.popLast() else { return nil }
        bytes -= count
        return region
    }

    mutating func keep(_ region: UnsafeMutableRawPointer, _ count: Int) -> Bool {
        guard count <= Self.largest, bytes + count <= Self.total, regions[count, default: []].count < Self.count else {
            return false
        }
        regions[count, default: []].append(region)
        bytes += count
        return true
    }
}
