/// A region with many secrets of one size, each between two canaries.
///
/// The list of free items is outside the region: a stray write into the arena cannot change it.
final class Arena: @unchecked Sendable {
    // `@unchecked`: everything but the constants is read and written under the lock of the arena's pool.

    /// An item that was taken.
    struct Place: @unchecked Sendable {
        // `@unchecked`: one secret owns it.

        let bytes: UnsafeMutableRawPointer
        let arena: Arena
    }

    let region: GuardedRegion
    /// The number of items that fit.
    private let capacity: Int
    /// The distance between items: the first canary, the secret, and the second canary directly after it.
    private let stride: Int
    /// The items that were freed; the last one is taken first.
    private let free: UnsafeMutablePointer<UInt32>
    private var freeCount = 0
    /// The number of items that were taken at least once: later ones were never touched.
    private var begun = 0

    /// - Parameters:
    ///   - region: a region of the size that ``size(of:target:)`` returns.
    ///   - size: the size of an item in bytes, a multiple of 16.
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

    /// Returns the size of an arena for items of a size: about `target` bytes, and at least one item.
    static func size(of size: Int, target: Int) -> Int { max(1, target / stride(of: size)) * stride(of: size) }

    private static func stride(of size: Int) -> Int { Canary.size + size + Canary.size }

    var isFull: Bool { begun == capacity && freeCount == 0 }
    var isEmpty: Bool { freeCount == begun }

    /// Takes a free item; the arena must not be full.
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
