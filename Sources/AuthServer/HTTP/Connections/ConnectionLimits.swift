/// How many connections there may be, and how long each part of one may take. The values are in ``Limits``; tests choose others.
struct ConnectionLimits: Equatable, Sendable {
    /// The number of connections of all addresses together.
    var total = Limits.connections
    /// The number of connections beyond ``total`` that are kept for health checks.
    var reserve = Limits.reservedConnections
    /// The number of connections of one address.
    var ofAddress = Limits.addressConnections
    /// The number of connections of one /48 of IPv6, which one customer may have.
    var ofCustomer = Limits.connections / Limits.customerShare
    /// The time from accepting a connection to the end of its first head.
    var firstHeadMilliseconds = Limits.firstHeadMilliseconds
    /// The time between two requests.
    var idleMilliseconds = Limits.idleConnectionSeconds * 1000
    /// The time from the first byte of a request to its last.
    var requestMilliseconds = Limits.requestMilliseconds
    /// The time in which a client has to take an answer. Its length extends it, by ``answerBytesPerSecond``.
    var answerMilliseconds = Limits.answerMilliseconds
    var answerBytesPerSecond = Limits.answerBytesPerSecond
    /// The time from the last answer of a connection until the server closes it, if the client has not.
    var lingerMilliseconds = Limits.lingerMilliseconds
    /// The number of bytes that the server reads of a body that it has refused.
    var refusedBytes = Limits.refusedBytes
}
