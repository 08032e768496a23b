internal import Synchronization

/// All arenas with items of one size, either the writable or the read-only ones.
///
/// A read-only arena is writable only while this type copies a secret into it or wipes one, under the lock. Filling a
/// secret happens in another arena, however long it takes.
final class ArenaPool: Sendable {
    private struct Content {
        /// Arenas with some items taken and some free; items are taken from the last.
        var open: [Arena] = []
        /// Arenas without taken items, kept for later.
        var idle: [Arena] = []
        /// Bytes of the idle arenas.
        var idleBytes = 0
        /// Bytes of all arenas.
        var bytes = 0
    }

    /// The size of the first arena. Each further one is as large as all before, up to the largest.
    private static let first = 16_384
    /// The size of the largest arena. 2 GiB in such arenas are 8,192 arenas with four mappings each: half of the 65,530
    /// that Linux allows.
    private static let largest = 262_144
    /// The maximum of idle bytes of one pool, and of all pools: a fraction of the 8 MiB that systems let a process
    /// lock.
    private static let idleLimit = 2 * largest
    private static let totalIdleLimit = 2_097_152
    private static let totalIdle = Atomic(0)

    private let size: Int
    private let isSealed: Bool
    private let content = Mutex(Content())

    /// - Parameter size: the size of an item in bytes.
    init(size: Int, isSealed: Bool) {
        self.size = size
        self.isSealed = isSealed
    }

    /// Takes zeroed, writable memory between canaries, from a pool that is not sealed.
    func take(_ count: Int) -> Arena.Place {
        let place = content.withLock { take(&$0) }
        fence(place.bytes, count)
        return place
    }

    /// Copies a secret into read-only memory between canaries, in a sealed pool.
    func keep(_ secret: UnsafeRawBufferPointer) -> Arena.Place {
        content.withLock { content in
            let place = take(&content)
            place.arena.region.unseal()
            fence(place.bytes, secret.count)
            UnsafeMutableRawBufferPointer(start: place.bytes, count: secret.count).copyMemory(from: secret)
            place.arena.region.seal()
            return place
        }
    }

    /// Wipes an item of `count` bytes, and returns it to its arena.
    func giveBack(_ place: Arena.Place, _ count: Int) {
        guard isSealed else {
            clear(place.bytes, count)
            return content.withLock { giveBack(place, &$0) }
        }
        content.withLock { content in
            place.arena.region.unseal()
            clear(place.bytes, count)
            place.arena.region.seal()
            giveBack(place, &content)
        }
    }

    private func fence(_ bytes: UnsafeMutableRawPointer, _ count: Int) {
        Canary.write(at: bytes - Canary.size)
        Canary.write(at: bytes + count)
    }

    private func clear(_ bytes: UnsafeMutableRawPointer, _ count: Int) {
        Canary.check(at: bytes - Canary.size)
        Canary.check(at: bytes + count)
        // The second canary is wiped, too: the next secret here may be longer.
        wipe(UnsafeMutableRawBufferPointer(start: bytes, count: count + Canary.size))
    }

    private func take(_ content: inout Content) -> Arena.Place {
        if content.open.isEmpty { content.open.append(idleArena(&content) ?? newArena(&content)) }
        let arena = content.open[content.open.count - 1]
        let place = Arena.Place(bytes: arena.take(), arena: arena)
        if arena.isFull { content.open.removeLast() }
        return place
    }

    private func giveBack(_ place: Arena.Place, _ content: inout Content) {
        let arena = place.arena
        let wasFull = arena.isFull
        arena.giveBack(place.bytes)
        if arena.isEmpty {
            if !wasFull { content.open.removeAll { $0 === arena } }
            leave(arena, &content)
        } else if wasFull {
            content.open.append(arena)
        }
    }

    private func newArena(_ content: inout Content) -> Arena {
        let target = min(max(content.bytes, Self.first), Self.largest)
        let region = GuardedMemory.region(Arena.size(of: size, target: target))
        if isSealed { region.seal() }
        content.bytes += region.size
        return Arena(region, size: size)
    }

    private func idleArena(_ content: inout Content) -> Arena? {
        guard let arena = content.idle.popLast() else { return nil }
        content.idleBytes -= arena.region.size
        Self.totalIdle.subtract(arena.region.size, ordering: .relaxed)
        return arena
    }

    /// Keeps an empty arena, or unmaps it.
    private func leave(_ arena: Arena, _ content: inout Content) {
        let size = arena.region.size
        guard content.idleBytes + size <= Self.idleLimit,
            Self.totalIdle.load(ordering: .relaxed) + size <= Self.totalIdleLimit
        else {
            content.bytes -= size
            return
        }
        content.idle.append(arena)
        content.idleBytes += size
        Self.totalIdle.add(size, ordering: .relaxed)
    }
}
