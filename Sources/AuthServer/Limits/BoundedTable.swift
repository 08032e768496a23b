/// A table in memory of at most so many entries. When it is full, a new entry takes the place of one that was not looked at
/// for a while: the "clock" of operating systems, which asks each entry for a second chance in turn.
///
/// An entry that is added and never looked at again goes first: a flood of keys that are used once pushes each other out, and
/// not the keys that are in use.
struct BoundedTable<Key: Hashable, Value> {
    private struct Slot {
        var key: Key
        var value: Value
        var wasUsed: Bool
    }

    let capacity: Int
    private var slots: [Slot] = []
    private var places: [Key: Int] = [:]
    private var hand = 0

    /// - Parameter capacity: how many entries there may be, at least one.
    init(capacity: Int) {
        precondition(capacity > 0, "a table without room for an entry keeps nothing")
        self.capacity = capacity
    }

    var count: Int { slots.count }

    /// The value of a key. The entry counts as used.
    mutating func value(of key: Key) -> Value? {
        guard let place = places[key] else { return nil }
        slots[place].wasUsed = true
        return slots[place].value
    }

    /// Puts a value in its place; if there is no room, in the place of an entry that was not used.
    mutating func set(_ value: Value, for key: Key) {
        if let place = places[key] {
            slots[place].value = value
            slots[place].wasUsed = true
        } else if slots.count < capacity {
            places[key] = slots.count
            slots.append(Slot(key: key, value: value, wasUsed: false))
        } else {
            let place = freePlace()
            places[slots[place].key] = nil
            slots[place] = Slot(key: key, value: value, wasUsed: false)
            places[key] = place
        }
    }

    /// Each step takes back a mark that a use has set, so that on average a step costs what the use has paid.
    private mutating func freePlace() -> Int {
        while slots[hand].wasUsed {
            slots[hand].wasUsed = false
            hand = (hand + 1) % capacity
        }
        defer { hand = (hand + 1) % capacity }
        return hand
    }
}
