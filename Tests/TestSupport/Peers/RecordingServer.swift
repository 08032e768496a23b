internal import Foundation

/// A server of Python's standard library that records every byte of an application, with TLS or without. It ends with
/// this value.
///
/// See `scripts/peers/recording_server.py`.
public struct RecordingServer: ~Copyable {
    /// The server's actions after an answer.
    public enum Ending: String, Sendable {
        case keep, close, cut
    }

    private let program: Leashed
    /// The port on 127.0.0.1.
    public let port: UInt16

    /// Starts a server with TLS.
    ///
    /// - Parameters:
    ///   - chain: the certificates that it presents, its own first.
    ///   - answer: the bytes of the answer to each request.
    public init(
        _ authority: CertificateAuthority, chain: [CertificateAuthority.Issued], isTLS12: Bool = false,
        answer: String? = nil, then ending: Ending = .keep
    ) throws {
        let arguments = ["--chain", try authority.chain(chain), "--key", chain[0].key]
        try self.init(arguments + (isTLS12 ? ["--tls", "1.2"] : []), answer, ending)
    }

    /// Starts a server without TLS.
    public init(answer: String? = nil, then ending: Ending = .keep) throws { try self.init([], answer, ending) }

    private init(_ arguments: [String], _ answer: String?, _ ending: Ending) throws {
        let program = try Leashed(Python.system) { folder in
            var all = ["\(Repository.path)/scripts/peers/recording_server.py", folder] + arguments
            all += ["--then", ending.rawValue]
            if let answer {
                try? answer.write(toFile: "\(folder)/answer-bytes", atomically: false, encoding: .utf8)
                all += ["--answer", "\(folder)/answer-bytes"]
            }
            return all
        }
        guard let port = UInt16(try program.greeting().dropFirst("ready ".count)) else {
            throw Leashed.NotStarted(description: "no port")
        }
        self.port = port
        self.program = program
    }

    /// Every byte that it read, decrypted; bytes that are not UTF-8 are replaced.
    public var application: String {
        get throws {
            let data = try Data(contentsOf: URL(fileURLWithPath: "\(program.folder.path)/application"))
            return String(decoding: data, as: UTF8.self)
        }
    }

    /// A line for each connection: `open`, or `refused` by a failed handshake.
    public var connections: [String] {
        get throws { try program.folder.read("connections").split(separator: "\n").map(String.init) }
    }
}

/// A SOCKS5 proxy that connects every name to one port of this machine. It ends with this value.
///
/// See `scripts/peers/socks5_server.py`.
public struct SOCKSServer: ~Copyable {
    /// A request that it received.
    public struct Request: Decodable, Equatable, Sendable {
        /// The type of the address: 1 and 4 for IP addresses, 3 for a name.
        public let kind: Int
        public let host: String
        public let port: Int
        public let user: String?
        public let password: String?

        public init(kind: Int, host: String, port: Int, user: String?, password: String?) {
            self.kind = kind
            self.host = host
            self.port = port
            self.user = user
            self.password = password
        }
    }

    private let program: Leashed
    /// The port on 127.0.0.1.
    public let port: UInt16

    /// - Parameters:
    ///   - target: the port that every connection leads to.
    ///   - reply: the code of its replies; 0 for success.
    public init(to target: UInt16, reply: Int = 0) throws {
        let program = try Leashed(Python.system) { folder in
            ["\(Repository.path)/scripts/peers/socks5_server.py", folder, "\(target)", "--reply", "\(reply)"]
        }
        guard let port = UInt16(try program.greeting().dropFirst("ready ".count)) else {
            throw Leashed.NotStarted(description: "no port")
        }
        self.port = port
        self.program = program
    }

    /// The requests that it received.
    public var requests: [Request] {
        get throws {
            try program.folder.read("requests").split(separator: "\n").map {
                try JSONDecoder().decode(Request.self, from: Data($0.utf8))
            }
        }
    }
}

/// A server that answers before it is asked, or before it has read the request. It ends with this value.
///
/// See `scripts/peers/early_server.py`.
public struct EarlyServer: ~Copyable {
    private let program: Leashed
    /// The port on 127.0.0.1.
    public let port: UInt16

    /// Starts a server that sends bytes at once, and then connects each connection to a port of this machine.
    public init(sending answer: String, thenTo target: UInt16) throws {
        try self.init(answer, ["--target", "\(target)"])
    }

    /// Starts a server that reads some bytes, answers, and reads nothing more.
    public init(answer: String, after count: Int) throws { try self.init(answer, ["--after", "\(count)"]) }

    private init(_ answer: String, _ arguments: [String]) throws {
        let program = try Leashed(Python.system) { folder in
            try? answer.write(toFile: "\(folder)/answer-bytes", atomically: false, encoding: .utf8)
            return ["\(Repository.path)/scripts/peers/early_server.py", "\(folder)/answer-bytes"] + arguments
        }
        guard let port = UInt16(try program.greeting().dropFirst("ready ".count)) else {
            throw Leashed.NotStarted(description: "no port")
        }
        self.port = port
        self.program = program
    }
}
