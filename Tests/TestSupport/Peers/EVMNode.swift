internal import Foundation

/// A real EVM behind JSON-RPC on a free port of this machine, with its own chain. It ends with this value, and with
/// this process.
///
/// See `scripts/peers/evm_node.py`, which implements it.
public struct EVMNode: ~Copyable {
    private let program: Leashed
    /// `http://127.0.0.1:PORT`.
    public let url: String

    /// Starts it and waits until it answers, which takes seconds.
    public init(chain: UInt64 = 31_337) throws {
        let program = try Leashed(Python.interpreter) { _ in
            ["\(Repository.path)/scripts/peers/evm_node.py", "\(chain)"]
        }
        url = "http://127.0.0.1:\(try program.greeting().dropFirst("ready ".count))"
        self.program = program
    }

    /// Sends a request, including those of its script beyond a node's. Numbers and bytes are text, in hexadecimal.
    ///
    /// - Parameter parameters: the contents of the JSON array: `"0x…", true`.
    /// - Throws: ``Program/Failure/failed(program:status:errors:)`` with its message if it refuses.
    public borrowing func ask<Answer: Decodable>(
        _ method: String, _ parameters: String = "", as type: Answer.Type = String.self
    ) throws -> Answer {
        try JSONDecoder().decode(type, from: Data(answer(method, parameters).utf8))
    }

    /// The same as ``ask(_:_:as:)``, where the answer does not matter.
    public borrowing func tell(_ method: String, _ parameters: String = "") throws {
        _ = try answer(method, parameters)
    }

    private borrowing func answer(_ method: String, _ parameters: String) throws -> String {
        try Program.output(
            Python.system, ["\(Repository.path)/scripts/peers/rpc.py", url, method, "[\(parameters)]"])
    }

    /// The code that deploys the token of `scripts/peers/erc20.py`, in hexadecimal with `0x`.
    public static func tokenCode() throws -> String {
        let code = try Program.output(Python.interpreter, ["\(Repository.path)/scripts/peers/erc20.py"])
        return "0x" + code.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
