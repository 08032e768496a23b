internal import Synchronization

/// The open connections of a server. It decides whether a new connection is accepted, and which idle one is closed for
/// it.
///
/// A connection with a request under way is never closed for another one. A client can reopen an idle connection at no
/// cost: when the table is full, it closes the connection that has been idle longest. So idle connections, in any
/// number, lock out no client. An address that has used up its share gives up an idle connection of its own.
package final class ConnectionTable: Sendable {
    /// The identifier of a connection.
    package struct ID: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    /// A reason for which a new connection is refused.
    package enum Refusal: String, CaseIterable, Sendable {
        /// The address has used up its share, and all its connections have requests under way.
        case address
        /// The table is full, and all connections have requests under way.
        case full
    }

    /// A reason for which the server closes a connection before its client does.
    package enum Ending: String, CaseIterable, Sendable {
        /// The connection was idle, and the same address opened another one.
        case address
        /// The connection was idle, and the table was full when another one came.
        case full
        /// No complete head arrived in time.
        case firstHead = "first_head"
        /// A request did not end in time.
        case request
        /// The client did not receive the answer in time.
        case answer
        /// The head or the framing of a request was malformed, or was refused by ``HeadRules``.
        case unreadable
        /// `Host` named another server.
        case host
        /// The client kept sending a body that was refused.
        case refusedBody = "refused_body"
        /// The client sent too many requests before it received an answer.
        case pipelined
        /// The answers that clients did not receive took too much memory, and this client had not received its answer
        /// for longest.
        case memory
    }

    /// The state of a connection.
    package enum Stage: String, CaseIterable, Sendable {
        /// The first request has not arrived yet.
        case opening
        /// A request is under way: its head has arrived, and its answer is not written yet.
        case busy
        /// The connection is between two requests.
        case resting
    }

    /// Numbers for the operator.
    package struct Counts: Equatable, Sendable {
        /// The number of open connections, by state.
        package var open: [Stage: Int] = [:]
        /// The number of connections refused since the start.
        package var refused: [Refusal: Int] = [:]
        /// The number of connections that the server has closed since the start.
        package var ended: [Ending: Int] = [:]
        /// The number of bytes that are held for clients that do not receive them.
        package var heldBytes = 0
    }

    private struct Connection {
        /// The networks in whose shares the connection counts; empty for a connection from a proxy.
        let networks: [String]
        var stage = Stage.opening
        /// The order in which connections became idle: a smaller number has been idle for longer.
        var idleSince: UInt64 = 0
        /// The number of bytes that are held for the client.
        var heldBytes = 0
        let close: @Sendable () -> Void
    }

    private struct State {
        var connections: [ID: Connection] = [:]
        /// The connections of each network.
        var networks: [String: Set<ID>] = [:]
        var idle = ConnectionOrder()
        /// The connections for which bytes are held, and the number of those bytes.
        var holding = ConnectionOrder()
        var heldBytes = 0
        var open: [Stage: Int] = [:]
        var refused: [Refusal: Int] = [:]
        var ended: [Ending: Int] = [:]
        var lastNumber: UInt64 = 0

        mutating func setIdle(_ id: ID) {
            lastNumber += 1
            connections[id]?.idleSince = lastNumber
            idle.append(id)
        }

        /// Removes a connection.
        ///
        /// - Returns: the closure that closes it.
        mutating func remove(_ id: ID) -> (@Sendable () -> Void)? {
            guard let connection = connections.removeValue(forKey: id) else { return nil }
            idle.remove(id)
            holding.remove(id)
            heldBytes -= connection.heldBytes
            open[connection.stage, default: 0] -= 1
            for network in connection.networks {
                networks[network]?.remove(id)
                if networks[network]?.isEmpty == true { networks[network] = nil }
            }
            return connection.close
        }

        /// Returns the connection of a network that has been idle longest.
        func longestIdle(of network: String) -> ID? {
            (networks[network] ?? []).lazy
                .compactMap { id in connections[id].map { (id, $0) } }
                .filter { $0.1.stage != .busy }
                .min { $0.1.idleSince < $1.1.idleSince }?.0
        }
    }

    private let limits: ConnectionLimits
    private let isProxy: @Sendable (ClientAddress) -> Bool
    private let hasReserve: @Sendable (ClientAddress) -> Bool
    private let state = Mutex(State())

    /// - Parameters:
    ///   - isProxy: whether an address belongs to a proxy. A proxy's connections are those of many clients, so it has
    ///     no share.
    ///   - hasReserve: whether ``ConnectionLimits/reserve`` is kept for an address, such as that of a health check.
    package init(
        _ limits: ConnectionLimits, isProxy: @escaping @Sendable (ClientAddress) -> Bool,
        hasReserve: @escaping @Sendable (ClientAddress) -> Bool
    ) {
        self.limits = limits
        self.isProxy = isProxy
        self.hasReserve = hasReserve
    }

    /// Accepts a new connection, and closes an idle one for it if necessary.
    ///
    /// - Parameter close: closes the new connection at once; it may be called from any thread.
    /// - Returns: the connection's identifier; nil if it is refused. The caller then closes it.
    package func admit(_ address: ClientAddress, close: @escaping @Sendable () -> Void) -> ID? {
        let shares = isProxy(address) ? [] : shares(of: address)
        let total = limits.total + (hasReserve(address) ? limits.reserve : 0)
        let (id, other) = state.withLock { state -> (ID?, (@Sendable () -> Void)?) in
            var other: (@Sendable () -> Void)?
            // The narrower network comes first: a connection closed there also makes room in the wider one.
            if let full = shares.first(where: { state.networks[$0.network, default: []].count >= $0.limit }) {
                guard let idle = state.longestIdle(of: full.network) else {
                    state.refused[.address, default: 0] += 1
                    return (nil, nil)
                }
                state.ended[.address, default: 0] += 1
                other = state.remove(idle)
            } else if state.connections.count >= total {
                guard let idle = state.idle.first else {
                    state.refused[.full, default: 0] += 1
                    return (nil, nil)
                }
                state.ended[.full, default: 0] += 1
                other = state.remove(idle)
            }
            state.lastNumber += 1
            let id = ID(number: state.lastNumber)
            state.connections[id] = Connection(networks: shares.map(\.network), close: close)
            state.open[.opening, default: 0] += 1
            for share in shares { state.networks[share.network, default: []].insert(id) }
            state.setIdle(id)
            return (id, other)
        }
        other?()
        return id
    }

    /// Returns the networks that contain an address, and the number of connections that each may have: the address
    /// itself, or its IPv6 /64; and the IPv6 /48, which one customer may have.
    private func shares(of address: ClientAddress) -> [(network: String, limit: Int)] {
        let own = (network: address.description, limit: limits.ofAddress)
        return address.customer == own.network ? [own] : [own, (address.customer, limits.ofCustomer)]
    }

    /// Records that a request has begun.
    ///
    /// - Returns: false if the connection has just been closed for another one.
    package func begin(_ id: ID) -> Bool {
        state.withLock { state in
            guard let stage = state.connections[id]?.stage else { return false }
            guard stage != .busy else { return true }
            state.connections[id]?.stage = .busy
            state.open[stage, default: 0] -= 1
            state.open[.busy, default: 0] += 1
            state.idle.remove(id)
            return true
        }
    }

    /// Records that the answer is written.
    package func rest(_ id: ID) {
        state.withLock { state in
            guard state.connections[id]?.stage == .busy else { return }
            state.connections[id]?.stage = .resting
            state.open[.busy, default: 0] -= 1
            state.open[.resting, default: 0] += 1
            state.setIdle(id)
        }
    }

    /// Records the number of bytes that are held for a connection whose client does not receive them. If all connections
    /// together have too many, those are closed that have held bytes for longest: a client that receives its answers is
    /// seldom among them.
    package func hold(_ bytes: Int, for id: ID) {
        let closing = state.withLock { state -> [@Sendable () -> Void] in
            guard let old = state.connections[id]?.heldBytes else { return [] }
            state.connections[id]?.heldBytes = bytes
            state.heldBytes += bytes - old
            if bytes == 0 { state.holding.remove(id) } else if old == 0 { state.holding.append(id) }
            var closing: [@Sendable () -> Void] = []
            while state.heldBytes > limits.heldBytes, let first = state.holding.first, let close = state.remove(first) {
                state.ended[.memory, default: 0] += 1
                closing.append(close)
            }
            return closing
        }
        for close in closing { close() }
    }

    /// Records that a connection is closed.
    package func remove(_ id: ID) {
        _ = state.withLock { $0.remove(id) }
    }

    /// Counts a connection that the server closes for this reason.
    package func count(_ ending: Ending) {
        state.withLock { $0.ended[ending, default: 0] += 1 }
    }

    package var counts: Counts {
        state.withLock { Counts(open: $0.open, refused: $0.refused, ended: $0.ended, heldBytes: $0.heldBytes) }
    }
}

/// A list of connections in the order in which they were added, such as the idle ones.
package struct ConnectionOrder {
    package typealias ID = ConnectionTable.ID

    private struct Neighbours {
        var before: ID?
        var behind: ID?
    }

    private var neighbours: [ID: Neighbours] = [:]
    private(set) var first: ID?
    private var last: ID?

    /// Adds a connection that is not in the list, at its end.
    package mutating func append(_ id: ID) {
        neighbours[id] = Neighbours(before: last, behind: nil)
        if let last { neighbours[last]?.behind = id } else { first = id }
        last = id
    }

    /// Removes a connection, if it is in the list.
    package mutating func remove(_ id: ID) {
        guard let own = neighbours.removeValue(forKey: id) else { return }
        if let before = own.before { neighbours[before]?.behind = own.behind } else { first = own.behind }
        if let behind = own.behind { neighbours[behind]?.before = own.before } else { last = own.before }
    }
}
