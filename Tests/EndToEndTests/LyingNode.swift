internal import Foundation
internal import Synchronization
import TestSupport

/// A proxy before a real node that relays questions and answers, except for the ones that a test changes.
enum LyingNode {
    /// The answer to a method.
    enum Lie: Sendable {
        /// This result, in JSON.
        case result(String)
        /// This result, in JSON, if the question contains these words; otherwise the truth.
        case resultOf(String, String)
        /// This result, in JSON, the first time; then the truth.
        case firstResult(String)
        /// The node is asked, and its answer is replaced by this error, with its code.
        case refusal(Int, String)
        /// An HTML page, as from a gateway.
        case page
        /// No answer, until the client hangs up.
        case silent
        /// The node is asked, and its answer is lost.
        case lost
        /// The node is not asked, and the connection ends.
        case dead
        /// A block is mined before the true answer.
        case mines
        /// A block is mined, and a closure runs, before the true answer.
        case minesAfter(@Sendable () -> Void)
        /// An unknown transaction.
        case unknown
        /// A wrong password.
        case unauthorised

        var isSilent: Bool { if case .silent = self { true } else { false } }
    }

    /// - Parameter lies: the false answers by method.
    static func before(_ port: UInt16, _ lies: [String: Lie]) throws -> FakeNode {
        let told = Mutex<Set<String>>([])
        return try FakeNode { request in
            guard let question = try? JSONDecoder().decode(Question.self, from: Data(request.body)) else { return [] }
            switch lies[question.method] {
            case nil: return FakeNode.relayed(request, to: port)
            case .result(let result):
                return FakeNode.http(#"{"jsonrpc":"2.0","id":\#(question.id),"result":\#(result)}"#)
            case .resultOf(let words, let result):
                guard String(decoding: request.body, as: UTF8.self).contains(words) else {
                    return FakeNode.relayed(request, to: port)
                }
                return FakeNode.http(#"{"jsonrpc":"2.0","id":\#(question.id),"result":\#(result)}"#)
            case .firstResult(let result):
                guard told.withLock({ $0.insert(question.method).inserted }) else {
                    return FakeNode.relayed(request, to: port)
                }
                return FakeNode.http(#"{"jsonrpc":"2.0","id":\#(question.id),"result":\#(result)}"#)
            case .refusal(let code, let words):
                _ = FakeNode.relayed(request, to: port)
                let fault = #"{"code":\#(code),"message":"\#(words)"}"#
                return FakeNode.http(#"{"jsonrpc":"2.0","id":\#(question.id),"error":\#(fault)}"#)
            case .page: return FakeNode.http("<html><body>502 Bad Gateway</body></html>", status: "502 Bad Gateway")
            case .silent: return [.silence]
            case .lost:
                _ = FakeNode.relayed(request, to: port)
                return []
            case .dead: return []
            case .unknown:
                let fault = #"{"code":-5,"message":"No such mempool or blockchain transaction"}"#
                return FakeNode.http(#"{"jsonrpc":"2.0","id":\#(question.id),"error":\#(fault)}"#)
            case .unauthorised: return FakeNode.http("", status: "401 Unauthorized")
            case .mines, .minesAfter:
                if case .minesAfter(let body) = lies[question.method] { body() }
                let body = #"{"method":"generatetodescriptor","params":[1,"raw(51)"],"id":0}"#
                let head = request.head.split(separator: "\r\n").filter {
                    !$0.lowercased().hasPrefix("content-length:")
                }
                _ = FakeNode.relayed(
                    FakeNode.Request(
                        head: (head + ["Content-Length: \(body.utf8.count)"]).joined(separator: "\r\n"),
                        body: Array(body.utf8)), to: port)
                return FakeNode.relayed(request, to: port)
            }
        }
    }

    private struct Question: Decodable {
        let method: String
        let id: Int
    }
}
