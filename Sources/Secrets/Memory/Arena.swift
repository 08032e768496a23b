/// A region that holds many secrets of one size, each between two canaries.
///
/// Which items are free is kept elsewhere: a stray write into the arena changes no list.
final class Arena: @unchecked Sendable {
    // `@unchecked`: everything but the constants is read and written under the lock of the arena's shelf.

    /// An item that was taken.
    struct Place: @unchecked Sendable {
        // `@unchecked`: one secret has it, and nothing else.

        let bytes: UnsafeMutableRawPointer
        let arena: Arena
    }

    let region: GuardedRegion
    /// How many items there is room for.
    private let capacity: Int
    /// From one item to the next: the first canary, the secret, and the second canary right behind it.
    private let stride: Int
    /// The items that were given back, of which the last is taken first.
    private let free: UnsafeMutablePointer<UInt32>
    private var freeCount = 0
    /// The items that were taken once at least: those behind them were never touched.
    private var begun = 0

    /// - Parameters:
    ///   - region: as large as ``size(of:target:)`` says.
    ///   - size: bytes of an item, a multiple of 16.
    init(_ region: GuardedRegion, size: Int) {
        self.region = region
        stride = Self.stride(of: size)
        capacity = region.size / stride
        free = .allocate(capacity: capacity)
    }

    deinit {
        free.deallocate()
        region.unmap()
    }

    /// The bytes of an arena for items of a size: about `target`, and one item at least.
    static func size(of size: Int, target: Int) -> Int { max(1, target / stride(of: size)) * stride(of: size) }

    private static func stride(of size: Int) -> Int { Canary.size + size + Canary.size }

    var isFull: Bool { begun == capacity && freeCount == 0 }
    var isEmpty: Bool { freeCount == begun }

    /// A free item; the arena must not be full.
    func take() -> UnsafeMutableRawPointer {
        let number: Int
        if freeCount > 0 {
            freeCount -= 1
            number = Int(free[freeCount])
        } else {
            precondition(begun < capacity, "an item of a full arena")
            number = begun
            begun += 1
        }
        return region.start + number * stride + Canary.size
    }

    func giveBack(_ bytes: UnsafeMutableRawPointer) {
        precondition(freeCount < begun, "an item that was not taken")
        free[freeCount] = UInt32(truncatingIfNeeded: (bytes - region.start) / stride)
        freeCount += 1
    }
}
