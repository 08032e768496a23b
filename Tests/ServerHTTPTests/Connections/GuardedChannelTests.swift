internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOEmbedded
internal import Testing

@testable internal import ServerHTTP

@Suite("Connections that a stopping server accepts")
struct GuardedChannelTests {
    @Test("a connection that the server drops before it is handled does not end the process, and is closed later")
    func dropped() throws {
        let limits = ConnectionLimits()
        let table = ConnectionTable(limits, isProxy: { _ in false }, hasReserve: { _ in false })
        let guarded = GuardedChannel(
            base: HTTP1Channel(responder: { _, _, _ in }), table: table, limits: limits, rules: HeadRules(hosts: nil),
            certificate: nil)
        let channel = EmbeddedChannel()
        // The value is dropped, as by a server that stops.
        _ = try guarded.setup(channel: channel, logger: Logger(label: "test")).map { _ in }.wait()
        channel.pipeline.connect(to: try SocketAddress(unixDomainSocketPath: "/none"), promise: nil)
        #expect(channel.isActive)
        // The request ends the deadline of the first head, and no task answers it.
        try channel.writeInbound(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: a\r\n\r\n"))
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(limits.firstHeadMilliseconds))
        #expect(!channel.isActive)
    }
}
