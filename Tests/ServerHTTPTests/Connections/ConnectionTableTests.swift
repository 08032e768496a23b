internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import ServerHTTP

@Suite("The table of connections")
struct ConnectionTableTests {
    /// A table, with names for its connections.
    private final class Named: Sendable {
        let table: ConnectionTable
        private let closed = Mutex<[String]>([])
        private let ids = Mutex<[String: ConnectionTable.ID]>([:])

        init(_ limits: ConnectionLimits, proxies: Set<String> = [], reserved: Set<String> = []) {
            table = ConnectionTable(
                limits, isProxy: { proxies.contains($0.exact) }, hasReserve: { reserved.contains($0.exact) })
        }

        /// The connections that the table has closed, in order.
        var closedNames: [String] { closed.withLock { $0 } }

        @discardableResult
        func open(_ name: String, from address: String) -> Bool {
            let id = table.admit(ClientAddress(address)) { self.closed.withLock { $0.append(name) } }
            ids.withLock { $0[name] = id }
            return id != nil
        }

        private func id(_ name: String) throws -> ConnectionTable.ID { try #require(ids.withLock { $0[name] }) }

        @discardableResult
        func begin(_ name: String) throws -> Bool { table.begin(try id(name)) }

        func rest(_ name: String) throws { table.rest(try id(name)) }

        func remove(_ name: String) throws { table.remove(try id(name)) }

        func hold(_ bytes: Int, _ name: String) throws { table.hold(bytes, for: try id(name)) }
    }

    private static func limits(total: Int, ofAddress: Int = 1_000, reserve: Int = 0) -> ConnectionLimits {
        var limits = ConnectionLimits()
        (limits.total, limits.ofAddress, limits.reserve) = (total, ofAddress, reserve)
        return limits
    }

    @Test("when too many bytes are held for clients that do not read, those that have not read for longest are closed")
    func heldBytes() throws {
        var limits = Self.limits(total: 10)
        limits.heldBytes = 100
        let named = Named(limits)
        for name in ["a", "b", "c", "d"] { named.open(name, from: "192.0.2.1") }
        try named.hold(40, "a")
        try named.hold(30, "b")
        try named.hold(30, "c")
        #expect(named.closedNames.isEmpty && named.table.counts.heldBytes == 100)
        // The first one receives its answer, and waits for another one later than the others.
        try named.hold(0, "a")
        try named.hold(40, "a")
        try named.hold(31, "d")
        #expect(named.closedNames == ["b", "c"])
        #expect(named.table.counts.heldBytes == 71)
        #expect(named.table.counts.ended == [.memory: 2])
        try named.hold(50, "b")
        #expect(named.table.counts.heldBytes == 71, "a closed connection holds nothing")
        try named.remove("a")
        try named.remove("d")
        #expect(named.table.counts.heldBytes == 0)
        // One that alone holds too much is closed, too.
        named.open("e", from: "192.0.2.1")
        try named.hold(101, "e")
        #expect(named.closedNames == ["b", "c", "e"] && named.table.counts.heldBytes == 0)
    }

    @Test("when the table is full, the longest idle connection is closed, and never one with a request")
    func full() throws {
        let named = Named(Self.limits(total: 4))
        for name in ["a", "b", "c", "d"] { #expect(named.open(name, from: "192.0.2.1")) }
        // The oldest one has a request; the second had one, and has been idle for less time than the third.
        try named.begin("a")
        try named.begin("b")
        try named.rest("b")
        for name in ["e", "f", "g"] { #expect(named.open(name, from: "192.0.2.2")) }
        #expect(named.closedNames == ["c", "d", "b"])
        #expect(named.table.counts.open == [.opening: 3, .busy: 1, .resting: 0])
        #expect(named.table.counts.ended == [.full: 3])
        // A connection that was given up begins no request.
        #expect(try !named.begin("c"))

        for name in ["e", "f", "g"] { try named.begin(name) }
        #expect(!named.open("h", from: "192.0.2.3"))
        #expect(named.table.counts.refused == [.full: 1])
        try named.rest("f")
        #expect(named.open("h", from: "192.0.2.3"))
        #expect(named.closedNames.last == "f")
        try named.remove("a")
        #expect(named.open("i", from: "192.0.2.4"))
        #expect(named.closedNames.last == "f")
    }

    @Test("all networks of one IPv6 customer share one limit, and other clients are not affected")
    func customer() throws {
        var limits = Self.limits(total: 100, ofAddress: 2)
        limits.ofCustomer = 3
        let named = Named(limits)
        for number in 1...3 { #expect(named.open("\(number)", from: "2001:db8:1:\(number)::1")) }
        #expect(named.open("other", from: "2001:db8:2::1"))
        #expect(named.closedNames.isEmpty)
        #expect(named.open("4", from: "2001:db8:1:4::1"))
        #expect(named.closedNames == ["1"])
        for number in 2...4 { try named.begin("\(number)") }
        #expect(!named.open("5", from: "2001:db8:1:5::1"))
        #expect(named.open("another", from: "2001:db8:2::1"))
        try named.remove("2")
        #expect(named.open("5", from: "2001:db8:1:5::1"))
        #expect(named.closedNames == ["1"])
    }

    @Test("an address at its limit gives up an idle connection of its own or is refused; others are not affected")
    func share() throws {
        let named = Named(Self.limits(total: 100, ofAddress: 2))
        #expect(named.open("other", from: "192.0.2.9"))
        for name in ["a", "b", "c", "d"] { #expect(named.open(name, from: "192.0.2.1")) }
        #expect(named.closedNames == ["a", "b"])
        #expect(named.table.counts.ended == [.address: 2])
        try named.begin("c")
        try named.begin("d")
        #expect(!named.open("e", from: "192.0.2.1"))
        #expect(named.table.counts.refused == [.address: 1])
        #expect(named.open("another", from: "192.0.2.8"))
        try named.rest("d")
        #expect(named.open("e", from: "192.0.2.1"))
        #expect(named.closedNames == ["a", "b", "d"])
        try named.remove("c")
        #expect(named.open("f", from: "192.0.2.1"))
        #expect(named.closedNames == ["a", "b", "d"])
    }

    @Test("an IPv6 /64 counts as one address, and an IPv4-mapped address as IPv4")
    func networks() {
        let named = Named(Self.limits(total: 100, ofAddress: 1))
        #expect(named.open("a", from: "2001:db8::1"))
        #expect(named.open("b", from: "2001:db8::ffff:1"))
        #expect(named.closedNames == ["a"])
        #expect(named.open("c", from: "2001:db8:0:1::1"))
        #expect(named.closedNames == ["a"])
        #expect(named.open("d", from: "::ffff:192.0.2.1"))
        #expect(named.open("e", from: "192.0.2.1"))
        #expect(named.closedNames == ["a", "d"])
    }

    @Test("connections of a proxy are not counted for its address")
    func proxies() {
        let named = Named(Self.limits(total: 100, ofAddress: 1), proxies: ["192.0.2.1"])
        for number in 0..<50 { #expect(named.open("\(number)", from: "192.0.2.1")) }
        #expect(named.closedNames.isEmpty)
    }

    @Test("a reserve is kept for health checks")
    func reserve() throws {
        let named = Named(Self.limits(total: 2, reserve: 1), reserved: ["127.0.0.1"])
        for name in ["a", "b"] {
            #expect(named.open(name, from: "192.0.2.1"))
            try named.begin(name)
        }
        #expect(!named.open("c", from: "192.0.2.1"))
        #expect(named.open("health", from: "127.0.0.1"))
        try named.begin("health")
        #expect(!named.open("more", from: "127.0.0.1"))
        try named.remove("health")
        #expect(!named.open("d", from: "192.0.2.1"), "it is not for others while it is free")
        #expect(named.open("health", from: "127.0.0.1"))
    }

    @Test("the table stays consistent in random sequences of events", arguments: [1, 2, 3] as [UInt64])
    func anything(seed: UInt64) throws {
        let random = SeededRandom(seed: seed)
        let named = Named(Self.limits(total: 12, ofAddress: 5, reserve: 2), reserved: ["127.0.0.1"])
        var stages: [String: ConnectionTable.Stage] = [:]
        var (opened, refused, ended, closed) = (0, 0, 0, 0)
        for step in 0..<2_000 {
            let names = stages.keys.sorted()
            switch (random.below(8), names.isEmpty ? nil : names[random.below(names.count)]) {
            case (0...2, let name?):
                #expect(try named.begin(name))
                stages[name] = .busy
            case (3, let name?):
                try named.rest(name)
                if stages[name] == .busy { stages[name] = .resting }
            case (4, let name?):
                try named.remove(name)
                stages[name] = nil
                ended += 1
            default:
                let addresses = ["127.0.0.1", "192.0.2.1", "192.0.2.2", "192.0.2.3"]
                if named.open("\(step)", from: addresses[random.below(4)]) {
                    stages["\(step)"] = .opening
                    opened += 1
                } else {
                    refused += 1
                }
                for name in named.closedNames.dropFirst(closed) {
                    let stage = stages.removeValue(forKey: name)
                    #expect(stage != nil && stage != .busy, "one was closed twice, or with a request under way")
                    closed += 1
                }
            }
            let counts = named.table.counts
            #expect(stages.count <= 14)
            for stage in ConnectionTable.Stage.allCases {
                #expect(counts.open[stage, default: 0] == stages.values.count { $0 == stage })
            }
        }
        let counts = named.table.counts
        #expect(refused > 0 && counts.refused.values.reduce(0, +) == refused)
        #expect(closed > 0 && closed == counts.ended.values.reduce(0, +))
        #expect(opened == stages.count + ended + closed)
    }

    @Test("the limits are lowered if the system allows too few open files")
    func files() {
        let settings = ConnectionSettings(total: 4_096, ofAddress: 128)
        let plenty = ConnectionLimits(settings, files: 20_000)
        #expect(plenty.total == 4_096 && plenty.ofAddress == 128)
        let few = ConnectionLimits(settings, files: 1_024)
        #expect(few.total == 1_024 - 256 - 64)
        #expect(few.total + few.reserve + ServerHTTPLimits.ownFiles <= 1_024)
        let fewest = ConnectionLimits(settings, files: 100)
        #expect(fewest.total == 25 && fewest.ofAddress == 25)
    }
}
