/// The regions of single secrets: how many there are, and those that are kept for the next secret of the same size.
///
/// To map, lock and fence a region takes about 30 µs, to make one that is there read-only about 1 µs. What is kept is wiped,
/// and still locked and fenced.
struct SpareRegions {
    enum Taken {
        case region(GuardedRegion)
        /// There is none of this size: one may be made.
        case none
        /// As many secrets as may have a region of their own have one.
        case tooMany
    }

    /// How many are kept of each size.
    private static let count = 64
    /// How many bytes are kept in all: a fraction of the megabytes that the system lets a process lock.
    private static let total = 1_048_576

    private let limit: Int
    private var taken = 0
    private var regions: [Int: [GuardedRegion]] = [:]
    private var bytes = 0

    /// - Parameter limit: how many secrets have a region of their own at the same time.
    init(limit: Int) {
        self.limit = limit
    }

    /// Takes the place of one secret, with a region if one is there.
    mutating func take(_ count: Int) -> Taken {
        guard taken < limit else { return .tooMany }
        taken += 1
        guard let region = regions[Canary.size + count]?.popLast() else { return .none }
        bytes -= region.size
        return .region(region)
    }

    /// Gives the place of one secret back, and keeps its region if there is room.
    mutating func keep(_ region: GuardedRegion) -> Bool {
        taken -= 1
        guard bytes + region.size <= Self.total, regions[region.size, default: []].count < Self.count else {
            return false
        }
        regions[region.size, default: []].append(region)
        bytes += region.size
        return true
    }
}
