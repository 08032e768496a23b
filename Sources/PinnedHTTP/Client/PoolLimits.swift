/// The limits of a client's connections.
public struct PoolLimits: Sendable {
    /// The maximum number of simultaneous requests to one origin. Further ones wait, within the time-out of connections.
    public var perOrigin: Int
    /// The maximum number of simultaneous requests to all origins.
    public var total: Int
    /// The maximum number of idle connections; 0 to keep none.
    public var idle: Int
    /// The time after which an idle connection is closed.
    public var idleTime: Duration

    /// Creates limits.
    public init(
        perOrigin: Int = HTTPLimits.connectionsPerOrigin, total: Int = HTTPLimits.connections,
        idle: Int = HTTPLimits.idleConnections, idleTime: Duration = HTTPLimits.idleTime
    ) {
        self.perOrigin = max(1, perOrigin)
        self.total = max(1, total)
        self.idle = max(0, idle)
        self.idleTime = idleTime
    }
}
