internal import Synchronization

/// The memory of secrets: each of the first sealed secrets has a region of its own, and all others are in arenas.
///
/// A region of its own has guard pages of its own, so that the first byte read past the secret ends the process; it
/// costs a page, four mappings and 30 µs. So a program with few secrets gets all of that, and the cost of many is
/// limited: in an arena, canaries fence a secret, and guard pages the arena.
enum GuardedMemory {
    /// The maximum number of sealed secrets with a region of their own: a MiB of locked pages, and 1,024 mappings.
    static let ownRegions = 256

    /// A secret's place in memory.
    struct Item {
        let bytes: UnsafeMutableRawPointer
        let count: Int
        fileprivate let home: Home
        fileprivate var isSealed = false
    }

    fileprivate enum Home {
        case region(GuardedRegion)
        case arena(Arena)
    }

    /// Takes zeroed, writable memory.
    ///
    /// - Parameter isSealed: whether it will be sealed.
    static func take(_ count: Int, isSealed: Bool) -> Item {
        guard count <= SizeClass.largest else { return own(region(Canary.size + count), count) }
        if isSealed {
            switch spares.withLock({ $0.take(count) }) {
            case .region(let region): return own(region, count)
            case .none: return own(region(Canary.size + count), count)
            case .tooMany: break
            }
        }
        let place = writable[SizeClass.number(of: count)].take(count)
        return Item(bytes: place.bytes, count: count, home: .arena(place.arena))
    }

    /// Makes a secret read-only, which may move it.
    static func seal(_ item: consuming Item) -> Item {
        switch item.home {
        case .region(let region):
            region.seal()
            item.isSealed = true
            return item
        case .arena:
            let pool = sealed[SizeClass.number(of: item.count)]
            let place = pool.keep(UnsafeRawBufferPointer(start: item.bytes, count: item.count))
            giveBack(item)
            return Item(bytes: place.bytes, count: item.count, home: .arena(place.arena), isSealed: true)
        }
    }

    /// Wipes a secret, and keeps its memory for another or returns it to the system.
    static func giveBack(_ item: Item) {
        switch item.home {
        case .arena(let arena):
            let pools = item.isSealed ? sealed : writable
            pools[SizeClass.number(of: item.count)].giveBack(
                Arena.Place(bytes: item.bytes, arena: arena), item.count)
        case .region(let region):
            if item.isSealed { region.unseal() }
            Canary.check(at: region.start)
            wipe(UnsafeMutableRawBufferPointer(start: item.bytes, count: item.count))
            let isCounted = item.count <= SizeClass.largest
            if !isCounted || !spares.withLock({ $0.keep(region) }) { region.unmap() }
        }
    }

    /// Maps a region that the program cannot do without. Where input decides how many there are,
    /// ``SecretMemory/admit(_:as:)`` was called before; the system refuses only far below its limits.
    static func region(_ size: Int) -> GuardedRegion {
        guard let region = GuardedRegion(size: size) else {
            fatalError("the system has no memory left for secrets: \(size) bytes more than what it gave already")
        }
        return region
    }

    private static func own(_ region: GuardedRegion, _ count: Int) -> Item {
        Canary.write(at: region.start)
        return Item(bytes: region.start + Canary.size, count: count, home: .region(region))
    }

    private static let writable = (0..<SizeClass.count).map { ArenaPool(size: SizeClass.size($0), isSealed: false) }
    private static let sealed = (0..<SizeClass.count).map { ArenaPool(size: SizeClass.size($0), isSealed: true) }
    private static let spares = Mutex(SpareRegions(limit: ownRegions))
}
