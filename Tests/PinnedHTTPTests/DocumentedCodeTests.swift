import Encoding
import TestSupport
import Testing

@testable import PinnedHTTP
@testable import PinnedHTTPTestSupport

@Suite("The code of the documentation", .timeLimit(.minutes(20)))
struct DocumentedCodeTests {
    struct ServerTime: HTTPEndpoint {
        let request: HTTPRequest

        func answer(from response: HTTPResponse) throws(AnswerFault) -> Int64 {
            let time = try response.json()["serverTime"]?.number
            guard let value = time?.integer(as: Int64.self) else { throw .malformed }
            return value
        }
    }

    @Test("a policy is read, an endpoint is called, and the policy is replaced")
    func task() async throws {
        let world = try TestWorld.shared.get()
        let signer = try PolicySigner()
        let server = try world.server(
            answer:
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 16\r\n\r\n{\"serverTime\":7}")
        let entry =
            #"{"host":"localhost","pins":["\#(world.root.pin)"],"backups":["\#(try Pin.invented(2))"]}"#
        let file = Array(#"{"format":1,"serial":1,"unpinned":"refuse","hosts":[\#(entry)]}"#.utf8)
        let publisher = signer.key
        let stored = TestTime.start
        let now: @Sendable () -> UInt64 = { TestTime.start }
        let roots = try world.roots()

        let policy = try PinPolicy(decoding: file)
        let pins = LivePins(policy, updatedBy: [publisher], time: PinTime(latest: stored))
        let client = PinnedClient(ClientConfiguration(userAgent: "app/1.0", roots: roots), pins: pins, now: now)

        let request = try request(server.port, .get)
        var time: Int64 = 0
        var outcome = "known"
        do {
            time = try await client.call(ServerTime(request: request))
        } catch .transport(let failure) where failure.mayHaveArrived {
            outcome = "look up what became of it"
        } catch .transport(let failure) {
            outcome = "not sent: \(failure.reason)"
        } catch .answer(let fault) {
            outcome = "answered: \(fault)"
        }
        #expect(outcome == "known")
        #expect(time == 7)

        let download = try signer.sign(#"{"format":1,"serial":2,"unpinned":"refuse","hosts":[]}"#).encoded
        try pins.update(SignedPinPolicy(decoding: download))
        #expect(pins.current.serial == 2)
    }
}
