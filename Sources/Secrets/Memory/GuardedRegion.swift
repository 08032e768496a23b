internal import CSodium
internal import Synchronization

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// Pages of `sodium_malloc`: locked, left out of core dumps, between two guard pages. The memory ends where the second
/// one begins.
struct GuardedRegion: @unchecked Sendable {
    // `@unchecked`: an address. Its contents belong to its owner.

    let start: UnsafeMutableRawPointer
    let size: Int
    /// Whether the system keeps the pages from being written to a swap device.
    private let isLocked: Bool

    /// Maps zeroed, writable memory; nil if the system has no memory or no mappings left.
    init?(size: Int) {
        Sodium.start()
        guard let start = sodium_malloc(size) else { return nil }
        self.start = start
        self.size = size
        // `sodium_malloc` locks, and does not report a failure. Locking again changes nothing, and reports it.
        isLocked = sodium_mlock(start, size) == 0
        guard isFenced else {
            sodium_free(start)
            return nil
        }
        sodium_memzero(start, size)
        Self.mapped.add(pages, ordering: .relaxed)
        if !isLocked { Self.unlocked.add(pages, ordering: .relaxed) }
    }

    /// Wipes the pages and returns them to the system.
    func unmap() {
        Self.mapped.subtract(pages, ordering: .relaxed)
        if !isLocked { Self.unlocked.subtract(pages, ordering: .relaxed) }
        sodium_free(start)
    }

    /// Makes the pages read-only: the hardware then stops a stray write.
    func seal() {
        precondition(sodium_mprotect_readonly(start) == 0, "the system does not make a secret read-only")
    }

    /// Makes the pages writable again.
    func unseal() {
        precondition(sodium_mprotect_readwrite(start) == 0, "the system does not make a secret writable")
    }

    /// Bytes of all regions.
    static let mapped = Atomic(0)

    /// The bytes of regions that are not locked.
    static let unlocked = Atomic(0)

    private static let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))

    /// The pages between the guard pages, in bytes: `sodium_malloc` puts 16 bytes of its own in front.
    private var pages: Int { (size + 16 + Self.pageSize - 1) / Self.pageSize * Self.pageSize }

    /// Whether both guard pages exist. `sodium_malloc` does not check whether it could make them, which fails when the
    /// process has reached its maximum of mappings. Making them again changes nothing, and reports it.
    private var isFenced: Bool {
        let end = start + size
        return mprotect(end, Self.pageSize, PROT_NONE) == 0
            && mprotect(end - pages - Self.pageSize, Self.pageSize, PROT_NONE) == 0
    }
}
