/// The limits of connections, requests, probes and log lines of a server.
package enum ServerHTTPLimits {
    /// Bytes of all header fields of one request. A DPoP proof and an access token take about 2,000.
    package static let headerBytes = 16 << 10
    package static let headerFields = 64
    /// Bytes of an address with its query: the length that every server should accept (RFC 9110 section 4.1), and more
    /// than any address of this server has. It is below ``headerBytes``, so that the two errors can be distinguished.
    package static let addressBytes = 8_000
    /// Seconds after which a connection between two requests is closed.
    package static let idleConnectionSeconds: Int64 = 60
    /// Milliseconds from the beginning of a connection, with the TLS handshake, until its first head is complete. A
    /// browser that opened a connection in advance opens another one when it is closed.
    package static let firstHeadMilliseconds: Int64 = 10_000
    /// Milliseconds in which a request has to arrive, from its head to its end. The longest request of this server has
    /// 64 KiB.
    package static let requestMilliseconds: Int64 = 30_000
    /// Milliseconds in which a client has to receive an answer, in addition to the time for its length.
    package static let answerMilliseconds: Int64 = 30_000
    /// The lowest rate at which a long answer has to be received: slower than any present network.
    package static let answerBytesPerSecond = 16 << 10
    /// Milliseconds between the last answer of a connection and its end, in which the client may close it first.
    package static let lingerMilliseconds: Int64 = 2_000
    /// Bytes that are read after a refusal. A client that sends no more can read its answer: the longest body that any
    /// endpoint accepts has this length.
    package static let refusedBytes = 64 << 10
    /// Bytes that the decoder of HTTP gets at a time: a decoded head takes up to forty times the memory of its bytes, so
    /// that these are at most some 40 KiB.
    package static let decodedBytes = 1 << 10
    /// Bytes that are read from a connection at a time: four thousand connections take 64 MiB.
    package static let receivedBytes = 16 << 10
    /// Bytes of later requests of a connection that wait while an answer is not sent. The system delivers more than one
    /// reading only when the client has closed its half.
    package static let waitingBytes = 64 << 10
    /// Bytes of an answer that the system takes for a client that does not receive it; Linux doubles the number. At 100
    /// ms of delay they allow a megabyte a second.
    package static let sendBufferBytes = 64 << 10
    /// Bytes of all connections together that wait, or that clients have not received: an eighth of the memory that the
    /// unit of systemd allows.
    package static let heldBytes = 256 << 20
    /// The default number of connections at a time.
    package static let connections = 4_096
    /// Additional connections for health checks and metrics: a flood must not make a working server look dead.
    package static let reservedConnections = 64
    /// Connections of one address: about twenty browsers, which a mobile carrier may put behind one address.
    package static let addressConnections = 128
    /// The divisor for one IPv6 /48: it may use a quarter of all connections. One customer may have a /48, and a mobile
    /// carrier puts thousands of customers into one.
    package static let customerShare = 4
    /// Connections that wait in the system's queue to be accepted, for bursts.
    package static let waitingConnections = 1_024
    /// Files that the server opens in addition to its connections: those of the store, at most 100 connections to
    /// PostgreSQL, and those of the event loops, a few for each core.
    package static let ownFiles = 256
    /// Bytes of log lines that wait to be written, about 5,000 lines: a reader may stall for seconds, and a log does
    /// not justify more memory.
    package static let logBytes = 1 << 20
    /// Bytes of log lines that are written with one call: the capacity of a pipe.
    package static let logWriteBytes = 64 << 10
    /// Milliseconds after a write in which log lines are collected for the next one.
    package static let logGatherMilliseconds = 20
    /// Seconds for the last lines of the log when the program ends.
    package static let logFlushSeconds = 2.0
    /// Milliseconds that a readiness probe waits for the store, and for which its result is reused.
    package static let readinessMilliseconds: Int64 = 2_000
    package static let readinessAgeMilliseconds: Int64 = 1_000
    /// Milliseconds between two log lines about one fault of the proxy: otherwise each request would write one.
    package static let faultLogMilliseconds: Int64 = 60_000
}
