/// A table in memory with a limited number of entries. When it is full, a new entry replaces one that was not used for
/// a while: the "clock" algorithm of operating systems, which gives each entry in turn a second chance.
///
/// An entry that is added and never used again is replaced first: in a flood of keys that are used once, these keys
/// replace each other, and not the keys in use.
package struct BoundedTable<Key: Hashable, Value> {
    private struct Slot {
        var key: Key
        var value: Value
        var wasUsed: Bool
    }

    package let capacity: Int
    private var slots: [Slot] = []
    private var places: [Key: Int] = [:]
    private var hand = 0

    /// - Parameter capacity: the highest number of entries, at least one.
    package init(capacity: Int) {
        precondition(capacity > 0, "a table without room for an entry keeps nothing")
        self.capacity = capacity
    }

    package var count: Int { slots.count }

    /// Returns the value of a key. The entry counts as used.
    package mutating func value(of key: Key) -> Value? {
        guard let place = places[key] else { return nil }
        slots[place].wasUsed = true
        return slots[place].value
    }

    /// Sets the value of a key. In a full table it replaces an entry that was not used.
    package mutating func set(_ value: Value, for key: Key) {
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

    /// Each step removes a mark that a use has set, so on average a step costs no more than the use that set the mark.
    private mutating func freePlace() -> Int {
        while slots[hand].wasUsed {
            slots[hand].wasUsed = false
            hand = (hand + 1) % capacity
        }
        defer { hand = (hand + 1) % capacity }
        return hand
    }
}
