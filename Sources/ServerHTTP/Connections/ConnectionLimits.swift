/// The limits of connections: their numbers, and the time for each part of one. The values are in ``ServerHTTPLimits``;
/// tests choose others.
package struct ConnectionLimits: Equatable, Sendable {
    /// The number of connections of all addresses together.
    package var total = ServerHTTPLimits.connections
    /// The number of connections beyond ``total`` that are kept for health checks.
    package var reserve = ServerHTTPLimits.reservedConnections
    /// The number of connections of one address.
    package var ofAddress = ServerHTTPLimits.addressConnections
    /// The number of connections of one IPv6 /48, which one customer may have.
    package var ofCustomer = ServerHTTPLimits.connections / ServerHTTPLimits.customerShare
    /// The time from accepting a connection to the end of its first head.
    package var firstHeadMilliseconds = ServerHTTPLimits.firstHeadMilliseconds
    /// The time between two requests.
    package var idleMilliseconds = ServerHTTPLimits.idleConnectionSeconds * 1000
    /// The time from the first byte of a request to its last.
    package var requestMilliseconds = ServerHTTPLimits.requestMilliseconds
    /// The time in which a client has to receive an answer. ``answerBytesPerSecond`` extends it by the answer's length.
    package var answerMilliseconds = ServerHTTPLimits.answerMilliseconds
    package var answerBytesPerSecond = ServerHTTPLimits.answerBytesPerSecond
    /// The time from the last answer of a connection until the server closes it, if the client has not.
    package var lingerMilliseconds = ServerHTTPLimits.lingerMilliseconds
    /// The number of bytes that the server reads of a refused body.
    package var refusedBytes = ServerHTTPLimits.refusedBytes
    /// The number of bytes that the decoder gets at a time, that the socket gives at a time, and that may wait while an
    /// answer is not sent.
    package var decodedBytes = ServerHTTPLimits.decodedBytes
    package var receivedBytes = ServerHTTPLimits.receivedBytes
    package var waitingBytes = ServerHTTPLimits.waitingBytes
    /// The number of bytes that the system takes of an answer that the client does not receive.
    package var sendBufferBytes = ServerHTTPLimits.sendBufferBytes
    /// The number of bytes of all connections together that wait, or that clients have not received.
    package var heldBytes = ServerHTTPLimits.heldBytes

    package init() {}
}

extension ConnectionLimits {
    /// Reads the limits of the settings, and lowers the number of connections if the limit of open files is too low.
    ///
    /// - Parameter files: the number of files that the process may open.
    package init(_ settings: ConnectionSettings, files: Int) {
        let possible = files - ServerHTTPLimits.ownFiles - ServerHTTPLimits.reservedConnections
        // With very few files it is better to run out of files at times than to accept no connection.
        total = max(1, min(settings.total, max(possible, files / 4)))
        ofAddress = min(settings.ofAddress, total)
        ofCustomer = max(ofAddress, total / ServerHTTPLimits.customerShare)
    }
}
