internal import Synchronization

/// Where secrets lie: a sealed one in a region of its own, as long as few have one, and all others in arenas.
///
/// A region of its own gives a secret guard pages of its own, so that already the first byte that is read past it ends the
/// process; and it costs a page, four mappings and 30 µs. So a program with few secrets has all of that, and one with many
/// has bounds: beside others in an arena, a secret is fenced by canaries, and the arena by guard pages.
enum GuardedMemory {
    /// How many sealed secrets have a region of their own at the same time: a MiB of locked pages, and 1,024 mappings.
    static let ownRegions = 256

    /// A secret's place.
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

    /// Zeros that may be written.
    ///
    /// - Parameter isSealed: whether they are going to be sealed.
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
            let shelf = sealed[SizeClass.number(of: item.count)]
            let place = shelf.keep(UnsafeRawBufferPointer(start: item.bytes, count: item.count))
            giveBack(item)
            return Item(bytes: place.bytes, count: item.count, home: .arena(place.arena), isSealed: true)
        }
    }

    /// Wipes a secret, and keeps its place for another or gives it back to the system.
    static func giveBack(_ item: Item) {
        switch item.home {
        case .arena(let arena):
            let shelves = item.isSealed ? sealed : writable
            shelves[SizeClass.number(of: item.count)].giveBack(
                Arena.Place(bytes: item.bytes, arena: arena), item.count)
        case .region(let region):
            if item.isSealed { region.unseal() }
            Canary.check(at: region.start)
            wipe(UnsafeMutableRawBufferPointer(start: item.bytes, count: item.count))
            let isCounted = item.count <= SizeClass.largest
            if !isCounted || !spares.withLock({ $0.keep(region) }) { region.unmap() }
        }
    }

    /// A region that the program cannot do without. Where input decides how many there are, ``SecretMemory/admit(_:as:)`` was
    /// asked before; the system refuses only what is far below its limits.
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

    private static let writable = (0..<SizeClass.count).map { Shelf(size: SizeClass.size($0), isSealed: false) }
    private static let sealed = (0..<SizeClass.count).map { Shelf(size: SizeClass.size($0), isSealed: true) }
    private static let spares = Mutex(SpareRegions(limit: ownRegions))
}
