internal import Foundation

/// A real EVM behind JSON-RPC on a free port of this machine, with a chain of its own. It ends with this value, and with this process.
///
/// See `scripts/peers/evm_node.py`, which is it.
public struct EVMNode: ~Copyable {
    private let program: Leashed
    /// `http://127.0.0.1:PORT`.
    public let url: String

    /// Starts it and waits until it answers; some seconds.
    public init(chain: UInt64 = 31_337) throws {
        let program = try Leashed(Python.interpreter) { _ in
            ["\(Repository.path)/scripts/peers/evm_node.py", "\(chain)"]
        }
        url = "http://127.0.0.1:\(try program.greeting().dropFirst("ready ".count))"
        self.program = program
    }

    /// The code that deploys the token of `scripts/peers/erc20.py`, in hexadecimal with `0x`.
    public static func tokenCode() throws -> String {
        let code = try Program.output(Python.interpreter, ["\(Repository.path)/scripts/peers/erc20.py"])
        return "0x" + code.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
