/// The regions of single secrets: their number, and those that are kept for the next secret of the same size.
///
/// Mapping, locking and fencing a region takes about 30 µs; making an existing one read-only takes about 1 µs. Kept
/// regions are wiped, and still locked and fenced.
struct SpareRegions {
    enum Taken {
        case region(GuardedRegion)
        /// No region of this size is kept; a new one may be made.
        case none
        /// The maximum number of secrets already have a region of their own.
        case tooMany
    }

    /// The maximum number of kept regions of each size.
    private static let count = 64
    /// The maximum of kept bytes: a fraction of the megabytes that the system lets a process lock.
    private static let total = 1_048_576

    private let limit: Int
    private var taken = 0
    private var regions: [Int: [GuardedRegion]] = [:]
    private var bytes = 0

    /// - Parameter limit: the maximum number of secrets with a region of their own.
    init(limit: Int) {
        self.limit = limit
    }

    /// Takes the place of one secret, with a region if one is kept.
    mutating func take(_ count: Int) -> Taken {
        guard taken < limit else { return .tooMany }
        taken += 1
        guard let region = regions[Canary.size + count]?.popLast() else { return .none }
        bytes -= region.size
        return .region(region)
    }

    /// Returns the place of one secret, and keeps its region if there is room.
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
