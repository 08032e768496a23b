internal import Foundation

/// A WebSocket server of Python's standard library that does what its clients tell it. It ends with this value.
///
/// See `scripts/peers/websocket_server.py`.
public struct WebSocketServer: ~Copyable {
    /// A frame that it read.
    public struct Frame: Decodable, Sendable {
        /// The number of the connection, from 1.
        public let connection: Int
        public let opcode: Int
        public let masked: Bool
        /// Whether it is a whole message without reserved bits.
        public let final: Bool
        /// The mask in hex.
        public let mask: String
        /// The first 200 bytes of the payload in hex.
        public let payload: String
    }

    private let program: Leashed
    /// The port on 127.0.0.1.
    public let port: UInt16

    /// Starts a server with TLS, or without if there is no chain.
    ///
    /// - Parameter tick: the pause between two numbers that it sends to its subscribers, in milliseconds.
    public init(
        _ authority: CertificateAuthority, chain: [CertificateAuthority.Issued], tick: Int? = nil
    ) throws {
        var arguments = tick.map { ["--tick", "\($0)"] } ?? []
        if let first = chain.first { arguments += ["--chain", try authority.chain(chain), "--key", first.key] }
        let program = try Leashed(Python.system) { folder in
            ["\(Repository.path)/scripts/peers/websocket_server.py", folder] + arguments
        }
        guard let port = UInt16(try program.greeting().dropFirst("ready ".count)) else {
            throw Leashed.NotStarted(description: "no port")
        }
        self.port = port
        self.program = program
    }

    /// Every byte that it read, decrypted; those that are not text replaced.
    public var application: String {
        get throws {
            let file = URL(fileURLWithPath: "\(program.folder.path)/application")
            return String(decoding: try Data(contentsOf: file), as: UTF8.self)
        }
    }

    /// A line for each connection: `open`, or `refused` by a failed handshake.
    public var connections: [String] {
        get throws { try program.folder.read("connections").split(separator: "\n").map(String.init) }
    }

    /// The numbers of the connections that ended.
    public var ended: [Int] {
        get throws { try program.folder.read("ended").split(separator: "\n").compactMap { Int($0) } }
    }

    /// The frames that it read.
    public var frames: [Frame] {
        get throws {
            try program.folder.read("frames").split(separator: "\n").map {
                try JSONDecoder().decode(Frame.self, from: Data($0.utf8))
            }
        }
    }
}
