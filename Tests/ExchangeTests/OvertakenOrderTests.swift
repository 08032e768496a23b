import PinnedHTTP
import Synchronization
import Testing

@testable import Exchange

@Suite("Something else happens between an order and its sending") struct OvertakenOrderTests {
    /// Runs a body once, while a request for the time is on its way.
    private func during(time number: Int, _ desk: Desk, _ body: @escaping @Sendable () async -> Void) {
        let count = Mutex(0)
        desk.exchange.onArrival { sent in
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
        let desk = try await Desk()
        let (id, other) = (desk.newID(), try desk.restarted())
        let (own, theirs) = (try desk.order(), try desk.order(isSame ? "1.25" : "2"))
        during(time: 1, desk) {
            // Its outcome stays unknown, so that the journal has it as open.
            desk.exchange.next(.hidden(100_000_000))
            desk.exchange.next(.notConnected, .notConnected, .notConnected, at: "GET /api/v3/order")
            _ = try? await other.place(theirs, as: id)
        }
        if isSame {
            _ = try await desk.client.place(own, as: id)
        } else {
            await #expect(throws: ExchangeError.idTaken) { _ = try await desk.client.place(own, as: id) }
        }
        #expect(desk.exchange.orders.count == 1)
    }

    @Test("an order that has left the journal between two attempts is not sent again")
    func leftJournal() async throws {
        let files = MemoryFiles()
        let desk = try await Desk(files: files)
        let json = [HTTPHeader("Content-Type", "application/json")]
        desk.exchange.next(.answerInstead(status: 400, body: #"{"code":-1021,"msg":"x"}"#, headers: json))
        during(time: 2, desk) {
            files.remove(".orders")
            files.remove(".seen")
        }
        let outcome = try await desk.client.place(desk.order(), as: desk.newID())
        #expect(outcome == .refused(Refusal(reason: .time, code: "-1021")))
        #expect(desk.exchange.orders.count == 1)
    }

    @Test("an order is not placed if this machine's clock was set back meanwhile")
    func setBack() async throws {
        let desk = try await Desk()
        during(time: 1, desk) { desk.time.goBack(3_600_000) }
        await #expect(throws: ExchangeError.late) { _ = try await desk.client.place(desk.order(), as: desk.newID()) }
        #expect(desk.exchange.orders.isEmpty)
    }
}
