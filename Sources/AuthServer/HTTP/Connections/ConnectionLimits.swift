/// The limits of connections: their numbers, and the time for each part of one. The values are in ``Limits``; tests
/// choose others.
struct ConnectionLimits: Equatable, Sendable {
    /// The number of connections of all addresses together.
    var total = Limits.connections
    /// The number of connections beyond ``total`` that are kept for health checks.
    var reserve = Limits.reservedConnections
    /// The number of connections of one address.
    var ofAddress = Limits.addressConnections
    /// The number of connections of one IPv6 /48, which one customer may have.
    var ofCustomer = Limits.connections / Limits.customerShare
    /// The time from accepting a connection to the end of its first head.
    var firstHeadMilliseconds = Limits.firstHeadMilliseconds
    /// The time between two requests.
    var idleMilliseconds = Limits.idleConnectionSeconds * 1000
    /// The time from the first byte of a request to its last.
    var requestMilliseconds = Limits.requestMilliseconds
    /// The time in which a client has to receive an answer. ``answerBytesPerSecond`` extends it by the answer's length.
    var answerMilliseconds = Limits.answerMilliseconds
    var answerBytesPerSecond = Limits.answerBytesPerSecond
    /// The time from the last answer of a connection until the server closes it, if the client has not.
    var lingerMilliseconds = Limits.lingerMilliseconds
    /// The number of bytes that the server reads of a refused body.
    var refusedBytes = Limits.refusedBytes
    /// The number of bytes that the decoder gets at a time, that the socket gives at a time, and that may wait while an
    /// answer is not sent.
    var decodedBytes = Limits.decodedBytes
    var receivedBytes = Limits.receivedBytes
    var waitingBytes = Limits.waitingBytes
    /// The number of bytes that the system takes of an answer that the client does not receive.
    var sendBufferBytes = Limits.sendBufferBytes
    /// The number of bytes of all connections together that wait, or that clients have not received.
    var heldBytes = Limits.heldBytes
}
