internal import DisplayText
internal import HDKeys
import Nodes
import PinnedHTTP
import TestSupport
import Testing
import Wallet

@Suite("Texts of errors", .timeLimit(.minutes(20)))
struct ErrorTextTests {
    @Test("no error contains the password or the path of the node's URL")
    func secrets() async throws {
        let dead = try DeadPort()
        let answers: [[FakeNode.Step]] = [
            [], [.send("SECRET\r\n")], FakeNode.http("<html>"), FakeNode.http("", status: "401 Unauthorized"),
            FakeNode.http("", status: "302 Found", headers: ["Location: http://localhost/"]),
            FakeNode.http("", status: "500 Internal Server Error"),
            FakeNode.http(#"{"id":1,"error":{"code":1,"message":"no"}}"#),
            FakeNode.http(#"{"id":1,"result":{"chain":"main"}}"#), FakeNode.http(#"{"id":2}"#), FakeNode.http("{}"),
        ]
        let nodes = try answers.map { answer in try FakeNode { _ in answer } }
        for port in nodes.map(\.port) + [dead.number] {
            let address = try NodeAddress("http://user:SECRET@127.0.0.1:\(port)/SECRET?key=SECRET")
            let transport = try client(to: address)
            do {
                _ = try await BitcoinNode(at: address, on: .regtest, over: transport, .hasty)
                Issue.record("no error")
            } catch {
                #expect(!"\(error)".contains("SECRET"))
                #expect(!String(reflecting: error).contains("SECRET"))
                var dumped = ""
                dump(error, to: &dumped)
                #expect(!dumped.contains("SECRET"))
            }
        }
    }

    @Test("the text is one sentence for a person")
    func sentences() {
        let errors: [NodeError] = [
            .badAddress(.credentialsInTheClear), .unreachable(.notHTTP), .untrusted(.wrongName), .timedOut(.connecting),
            .notPinned(.noPins), .badConnection(.notAllowed(.notEncrypted)), .badConnection(.pins(.noBackup)),
            .tooLarge(limit: 5),
            .redirected, .unauthorised, .status(418), .notJSON(looksLikeHTML: true),
            .rpc(code: 3, message: SanitizedText(ofNode: "a\nb")),
            .refused(.nonceTooLow, SanitizedText(ofNode: "no")),
            .wrongChain(expected: "mainnet", found: SanitizedText(ofNode: "regtest")),
            .inconsistent(.receipt), .unexpected(.feeHistory), .feeAboveCeiling(SanitizedText(ofNode: "7 gwei")),
            .noBaseFee, .noFeeEstimate(.feeRate), .noFeeEstimate(.dust), .noFeeEstimate(.gasPrice), .outcomeUnknown,
            .searching, .syncing(ChainLag(height: 5, newest: 9)), .syncing(ChainLag(height: 5, newest: nil)),
            .cancelled,
        ]
        for error in errors {
            #expect(
                !error.description.contains("\n") && !error.description.hasSuffix(".")
                    && !error.description.contains("NodeError"))
        }
        #expect(
            NodeError.refused(.nonceTooLow, SanitizedText(ofNode: "a\nb")).description
                == "the node rejected the transaction: its nonce is used. It says: \"a<U+000A>b\"")
    }
}
