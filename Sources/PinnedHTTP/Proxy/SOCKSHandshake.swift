/// The client's side of SOCKS5 (RFC 1928) with a user name and password (RFC 1929). It does no I/O.
struct SOCKSHandshake {
    /// The reasons why a proxy makes no connection.
    enum Fault: Error, Equatable {
        /// It does not speak SOCKS5.
        case notSOCKS
        /// It accepts neither no authentication nor the user name and password.
        case unauthorised
        /// It could not reach the server.
        ///
        /// - Parameter code: RFC 1928, section 6.
        case refused(code: UInt8)
    }

    /// The client's next action.
    enum Step: Equatable {
        case send([UInt8])
        case wait
        case connected
    }

    private enum State { case greeting, method, password, reply, connected }

    private let request: [UInt8]
    /// The message of RFC 1929; nil without authentication.
    private let login: [UInt8]?
    private var state = State.greeting
    private var unread: [UInt8] = []

    /// - Parameter login: the message of RFC 1929 with name and password; nil to offer no authentication.
    init(to origin: Origin, login: [UInt8]?) {
        self.login = login
        request = Self.request(to: origin)
    }

    /// Returns the message of RFC 1929, section 2.
    static func login(user: [UInt8], password: [UInt8]) -> [UInt8] {
        [1, UInt8(truncatingIfNeeded: user.count)] + user + [UInt8(truncatingIfNeeded: password.count)] + password
    }

    /// Returns the next step after the bytes that were received.
    mutating func next(_ received: some Collection<UInt8> = []) throws(Fault) -> Step {
        unread += received
        switch state {
        case .greeting:
            state = .method
            // Section 3: version, number of methods, methods. 0 is without authentication, 2 with a name and password. With a login
            // only 2 is offered: a proxy that ignores the login would not isolate.
            return .send([5, 1, login == nil ? 0 : 2])
        case .method:
            guard let answer = take(2) else { return .wait }
            guard answer[0] == 5 else { throw .notSOCKS }
            guard answer[1] == (login == nil ? 0 : 2) else { throw answer[1] == 0xFF ? .unauthorised : .notSOCKS }
            guard let login else { return sendRequest() }
            state = .password
            return .send(login)
        case .password:
            guard let answer = take(2) else { return .wait }
            guard answer[0] == 1 else { throw .notSOCKS }
            guard answer[1] == 0 else { throw .unauthorised }
            return sendRequest()
        case .reply: return try readReply()
        case .connected: throw .notSOCKS
        }
    }

    private mutating func sendRequest() -> Step {
        state = .reply
        return .send(request)
    }

    /// Section 6: version, code, 0, address, port. The address is of the proxy's own end, and is not used.
    private mutating func readReply() throws(Fault) -> Step {
        guard unread.count >= 5 else { return .wait }
        guard unread[0] == 5, unread[2] == 0 else { throw .notSOCKS }
        let address: Int
        switch unread[3] {
        case 1: address = 4
        case 3: address = 1 + Int(unread[4])
        case 4: address = 16
        default: throw .notSOCKS
        }
        // Tor closes the connection after a refusal with a short address.
        guard unread[1] == 0 else { throw .refused(code: unread[1]) }
        guard take(4 + address + 2) != nil else { return .wait }
        // The server has nothing to say before the client.
        guard unread.isEmpty else { throw .notSOCKS }
        state = .connected
        return .connected
    }

    private mutating func take(_ count: Int) -> [UInt8]? {
        guard unread.count >= count else { return nil }
        defer { unread.removeFirst(count) }
        return Array(unread.prefix(count))
    }

    /// Section 4: version, CONNECT, 0, address, port. A name goes to the proxy as a name.
    private static func request(to origin: Origin) -> [UInt8] {
        var request: [UInt8] = [5, 1, 0]
        if let address = IPAddress(origin.host) {
            request += [address.bytes.count == 4 ? 1 : 4] + address.bytes
        } else {
            request += [3, UInt8(truncatingIfNeeded: origin.host.utf8.count)] + origin.host.utf8
        }
        return request + [UInt8(origin.port >> 8), UInt8(truncatingIfNeeded: origin.port)]
    }
}
