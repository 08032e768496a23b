import PinnedHTTP
import Synchronization
import Testing

@testable import Exchange

@Suite("Something else happens between an order and its sending") struct OvertakenOrderTests {
    /// Runs a body once, while a request for the time is on its way.
    private func during(time number: Int, _ fixture: ExchangeFixture, _ body: @escaping @Sendable () async -> Void) {
        let count = Mutex(0)
        fixture.exchange.onArrival { sent in
            guard sent.path == "/api/v3/time" else { return }
            let isMeant = count.withLock {
                $0 += 1
                return $0 == number
            }
            if isMeant { await body() }
        }
    }

    @Test("an id that another process has sent meanwhile is not sent again", arguments: [true, false])
    func overtaken(isSame: Bool) async throws {
        let fixture = try await ExchangeFixture()
        let (id, other) = (fixture.newID(), try fixture.restarted())
        let (own, theirs) = (try fixture.order(), try fixture.order(isSame ? "1.25" : "2"))
        during(time: 1, fixture) {
            // Its outcome stays unknown, so that the journal has it as open.
            fixture.exchange.next(.hidden(100_000_000))
            fixture.exchange.next(.notConnected, .notConnected, .notConnected, at: "GET /api/v3/order")
            _ = try? await other.place(theirs, as: id)
        }
        if isSame {
            _ = try await fixture.client.place(own, as: id)
        } else {
            await #expect(throws: ExchangeError.idTaken) { _ = try await fixture.client.place(own, as: id) }
        }
        #expect(fixture.exchange.orders.count == 1)
    }

    @Test("an order that has left the journal between two attempts is not sent again")
    func leftJournal() async throws {
        let files = MemoryFiles()
        let fixture = try await ExchangeFixture(files: files)
        let json = [HTTPHeader("Content-Type", "application/json")]
        fixture.exchange.next(.answerInstead(status: 400, body: #"{"code":-1021,"msg":"x"}"#, headers: json))
        during(time: 2, fixture) {
            files.remove(".orders")
            files.remove(".seen")
        }
        let outcome = try await fixture.client.place(fixture.order(), as: fixture.newID())
        #expect(outcome == .refused(Refusal(reason: .time, code: "-1021")))
        #expect(fixture.exchange.orders.count == 1)
    }

    @Test("an order is not placed if this machine's clock was set back meanwhile")
    func setBack() async throws {
        let fixture = try await ExchangeFixture()
        during(time: 1, fixture) { fixture.time.goBack(3_600_000) }
        await #expect(throws: ExchangeError.late) {
            _ = try await fixture.client.place(fixture.order(), as: fixture.newID())
        }
        #expect(fixture.exchange.orders.isEmpty)
    }
}
