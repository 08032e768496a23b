internal import Foundation

/// A real EVM behind JSON-RPC on a free port of this machine, with its own chain. It ends with this value, and with
/// this process.
///
/// See `scripts/peers/evm_node.py`, which implements it.
public struct EVMNode: ~Copyable {
    private let port: UInt16
    /// The node ends with it.
    private let connection: LocalConnection

    /// The program that each node is a copy of: its packages take a second of a processor to load.
    private final class Original: @unchecked Sendable {
        // `@unchecked`: no property changes after `init`.

        let program: Leashed
        let port: UInt16

        init() throws {
            program = try Leashed(Python.interpreter) { _ in ["\(Repository.path)/scripts/peers/evm_node.py"] }
            port = try EVMNode.port(in: program.greeting())
        }

        static let shared = Result { try Original() }

        /// A shared value is never released, so its folder would stay.
        static let removal = atexit {
            if let original = try? shared.get() {
                try? FileManager.default.removeItem(atPath: original.program.folder.path)
            }
        }
    }

    /// Starts it and waits until it answers.
    public init(chain: UInt64 = 31_337) throws {
        _ = Original.removal
        let connection = try LocalConnection(to: try Original.shared.get().port)
        guard connection.write("\(chain)\n") else {
            throw Leashed.NotStarted(description: "scripts/peers/evm_node.py has ended")
        }
        port = try Self.port(in: String(decoding: connection.read(upToLineFeed: true), as: UTF8.self))
        self.connection = connection
    }

    private static func port(in greeting: String) throws -> UInt16 {
        let words = greeting.split(whereSeparator: \.isWhitespace)
        guard words.first == "ready", let port = words.last.flatMap({ UInt16($0) }) else {
            throw Leashed.NotStarted(description: "no port: \(greeting)")
        }
        return port
    }

    /// `http://127.0.0.1:PORT`.
    public var url: String { "http://127.0.0.1:\(port)" }

    /// Sends a request, including those of its script beyond a node's. Numbers and bytes are text, in hexadecimal.
    ///
    /// - Parameter parameters: the contents of the JSON array: `"0x…", true`.
    /// - Throws: ``Program/Failure/failed(program:status:errors:)`` with its message if it refuses.
    public borrowing func ask<Answer: Decodable>(
        _ method: String, _ parameters: String = "", as type: Answer.Type = String.self
    ) throws -> Answer {
        let answer = try JSONDecoder().decode(Reply<Answer>.self, from: try reply(method, parameters))
        if let error = answer.error { throw refusal(of: method, error.message) }
        guard let result = answer.result else { throw refusal(of: method, "no result") }
        return result
    }

    /// The same as ``ask(_:_:as:)``, where the answer does not matter.
    public borrowing func tell(_ method: String, _ parameters: String = "") throws {
        let answer = try JSONDecoder().decode(Reply<Ignored>.self, from: try reply(method, parameters))
        if let error = answer.error { throw refusal(of: method, error.message) }
    }

    private struct Ignored: Decodable {
        init(from decoder: any Decoder) {}
    }

    private struct Reply<Answer: Decodable>: Decodable {
        struct Refusal: Decodable { let message: String }
        let result: Answer?
        let error: Refusal?
    }

    private borrowing func refusal(of method: String, _ message: String) -> Program.Failure {
        .failed(program: url, status: 1, errors: "\(method): \(message)")
    }

    /// Returns the body of the answer.
    private borrowing func reply(_ method: String, _ parameters: String) throws -> Data {
        let question = #"{"jsonrpc": "2.0", "id": 1, "method": "\#(method)", "params": [\#(parameters)]}"#
        let head = "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: \(question.utf8.count)"
        let connection = try LocalConnection(to: port)
        guard connection.write("\(head)\r\n\r\n\(question)") else { throw refusal(of: method, "not sent") }
        let answer = Data(connection.read())
        guard let end = answer.range(of: Data("\r\n\r\n".utf8)) else { throw refusal(of: method, "no answer") }
        return answer[end.upperBound...]
    }

    /// Returns the code that deploys the token of `scripts/peers/erc20.py`, in hexadecimal with `0x`.
    public static func tokenCode() throws -> String { try token.get() }

    private static let token = Result {
        let code = try Program.output(Python.interpreter, ["\(Repository.path)/scripts/peers/erc20.py"])
        return "0x" + code.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
