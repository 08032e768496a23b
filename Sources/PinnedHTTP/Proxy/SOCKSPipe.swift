internal import NIOCore
internal import Secrets

/// A connection to a proxy, before it leads to the server.
struct SOCKSPipe {
    let channel: any Channel
    let inbox: Inbox

    /// Asks the proxy for a connection to an origin.
    func connect(to origin: Origin, through proxy: SOCKSProxy) async throws(HTTPFailure) {
        let login = proxy.login(for: origin).map { login in
            login.credentials.password.withUnsafeBytes {
                SOCKSHandshake.login(user: login.user, password: Array($0))
            }
        }
        var handshake = SOCKSHandshake(to: origin, login: login)
        do throws(SOCKSHandshake.Fault) {
            var step = try handshake.next()
            while step != .connected {
                if case .send(let bytes) = step { channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil) }
                guard case .bytes(let bytes) = await inbox.receive(from: channel) else { throw .notSOCKS }
                step = try handshake.next(bytes)
            }
        } catch {
            throw HTTPFailure(Task.isCancelled ? .cancelled : .notConnected, mayHaveArrived: false)
        }
    }
}
