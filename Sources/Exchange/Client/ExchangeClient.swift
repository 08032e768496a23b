internal import Encoding
public import ExchangeCredentials
public import PinnedHTTP
public import Secrets
public import Time

/// A client of one exchange with one stored key.
///
/// ```swift
/// let client = try ExchangeClient(
///     of: .binance, key: label, in: keyring, state: ExchangeState(folder: path, seen: seenPath),
///     transport: transport, clock: .system, random: SystemRandom(), window: ExchangeLimits.window)
/// let report = try await client.probePermissions()
/// let outcome = try await client.place(order, as: ClientOrderID(random: SystemRandom()))
/// ```
///
/// The secret is loaded from the store for each request, so that a revoked key stops working at once.
///
/// - Important: An order is written to the journal before it is sent, and is sent once. If its answer is unclear, the
///   client looks for it by its id. ``OrderOutcome/unknown(_:)`` means that the order may be at the exchange.
public actor ExchangeClient {
    /// The exchange.
    public nonisolated let venue: Venue
    /// The user's name of the key.
    public nonisolated let label: KeyLabel

    let keyring: Keyring
    let state: ExchangeState
    let clock: ExchangeClock
    let random: any RandomSource
    nonisolated var dialect: any Dialect { venue.dialect }
    /// Whether the use of the key and its rights are noted in its record. What another server than the exchange's says
    /// is not noted.
    nonisolated var notesUse: Bool { venue.has(origin) }

    let transport: any HTTPTransport
    let origin: Origin
    let window: Timestamp.Span
    private var serverClock: ServerClock?
    /// The longest pause that this process knows. It ends by the process's own measure, whatever happens to the time of
    /// day, and also counts if it could not be written to its file.
    private var pause: MeasuredWait?
    /// The longest pause of Kraken's counter of calls, which does not stop cancellings.
    private var counterPause: MeasuredWait?
    /// The record of the last pause that is measured.
    private var obeyed: WaitRecord?
    /// The orders whose outcome this process has to tell, with the locks that show it to other processes.
    var holds: [ClientOrderID: any AnyObject & Sendable] = [:]
    /// The requests that the exchange has counted, as its last answer told.
    public private(set) var usage = ExchangeUsage()

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - venue: the exchange.
    ///   - label: the user's name of the key, which need not be stored yet.
    ///   - keyring: the place of the key.
    ///   - state: the journal and the nonces.
    ///   - transport: the access to the network.
    ///   - origin: the server; without one, the exchange's usual one. It may be without encryption on this machine only,
    ///     for tests: `Origin.isLoopback`.
    ///   - clock: the time of this machine.
    ///   - random: a source of ids.
    ///   - window: the time within which the exchange may begin to act on a request: see
    ///     ``ExchangeLimits/windows``.
    /// - Throws: ``ExchangeError/invalid(_:_:)`` for a window outside of its limits, ``ExchangeError/connection(_:)`` for a
    ///   server without encryption.
    public init(
        of venue: Venue, key label: KeyLabel, in keyring: Keyring, state: ExchangeState, transport: any HTTPTransport,
        origin: Origin? = nil, clock: ExchangeClock, random: any RandomSource, window: Timestamp.Span
    ) throws(ExchangeError) {
        guard window >= ExchangeLimits.windows.lowerBound else {
            throw .invalid(.window, .tooShort(least: Int(ExchangeLimits.windows.lowerBound.milliseconds)))
        }
        guard window <= ExchangeLimits.windows.upperBound else { throw .invalid(.window, .tooLarge) }
        // A key, its passphrase and every order would be readable on the way, whatever the transport allows.
        if let origin, origin.scheme == .http, !origin.isLoopback { throw .connection(.notEncrypted) }
        self.venue = venue
        self.label = label
        self.keyring = keyring
        self.state = state.of(origin, at: venue)
        self.transport = transport
        self.origin = origin ?? venue.origin
        self.clock = clock
        self.random = random
        self.window = window
    }
}

extension ExchangeClient: CustomReflectable {
    /// A mirror of the exchange and the label only, so that `dump` shows neither the store nor the transport.
    public nonisolated var customMirror: Mirror { Mirror(self, children: ["venue": venue, "label": label]) }
}

// MARK: The account

extension ExchangeClient {
    /// Returns the exchange's time.
    ///
    /// - Throws: ``ExchangeError``.
    public func serverTime() async throws(ExchangeError) -> Timestamp {
        try await measureClock().time(at: clock.now())
    }

    /// Returns the balances that are not zero.
    ///
    /// - Throws: ``ExchangeError``.
    public func balances() async throws(ExchangeError) -> AccountBalances {
        let result = try await result(of: .balances)
        guard let balances = dialect.balances(in: result) else { throw .unclear(.answer) }
        return balances
    }

    /// Asks the exchange for the rights of the key, and notes them in its record, unless another server than the
    /// exchange's answers. On Kraken it needs no right; on Binance it needs the right to read.
    ///
    /// - Throws: ``ExchangeError``.
    public func probePermissions() async throws(ExchangeError) -> PermissionReport {
        let result = try await result(of: .rights)
        let key = try await credential().key
        guard let rights = dialect.rights(in: result, of: key) else { throw .unclear(.answer) }
        // The report matters more than the note: the store may be open for reading only.
        if notesUse { try? await keyring.noteRights(rights.rights, of: label, key, now: clock.now()) }
        return PermissionReport(rights, at: venue, now: clock.now())
    }

    /// Returns the exchange's own name of the key's account: Binance's `uid`, for which the key needs the right to read,
    /// or Kraken's `iban`, for which it needs no right; nil if the answer does not have it.
    ///
    /// - Throws: ``ExchangeError``.
    public func accountName() async throws(ExchangeError) -> String? {
        dialect.account(in: try await result(of: dialect.accountCall))
    }

    /// Lets the exchange check an order without placing it.
    ///
    /// - Throws: ``ExchangeError``; ``ExchangeError/testPlaced(ids:)`` if the exchange placed it although it
    ///   was a test.
    public func test(_ order: Order) async throws(ExchangeError) -> OrderTest {
        try check(order)
        let id = ClientOrderID(random: random)
        do throws(ExchangeError) {
            let result = try await result(of: .test(order, id))
            guard result["txid"] == nil, result["orderId"] == nil else {
                let numbers = [result["orderId"]?.number?.integer(as: UInt64.self).map { String($0) }]
                let texts = (result["txid"]?.array ?? []).prefix(ExchangeLimits.ordersInAnswer).map(\.string)
                throw .testPlaced(ids: (numbers + texts + [id.description]).compactMap { $0 }.filter(ListedOrder.isID))
            }
            return .valid
        } catch .refused(let refusal) { return .refused(refusal) }
    }

    /// Returns the credential that the label has now.
    func credential() async throws(ExchangeError) -> ExchangeCredential {
        do throws(CredentialError) { return try await keyring.credential(label, at: venue) } catch {
            throw .credential(error)
        }
    }

    func check(_ order: Order) throws(ExchangeError) {
        guard order.symbol.venue == venue else { throw .invalid(.symbol, .otherVenue(order.symbol.venue)) }
    }

    func result(of call: Call) async throws(ExchangeError) -> JSON {
        try await answer(to: call).result()
    }
}

// MARK: Requests

extension ExchangeClient {
    /// The result of one attempt at a request.
    enum Attempt: Sendable {
        /// The exchange answered.
        case answered(Answer)
        /// The request failed on its way.
        case failed(HTTPFailure)
        /// The preparation withdrew the request: nothing was sent.
        case withdrawn
    }

    /// Sends a request that changes nothing. After an answer about the time it measures the clocks and asks again.
    func answer(to call: Call) async throws(ExchangeError) -> Answer {
        precondition(!call.isOrder, "an order is journalled and sent once: place(_:as:)")
        var answer = try await once(call)
        if case .clock = answer {
            serverClock = nil
            answer = try await once(call)
        }
        return answer
    }

    private func once(_ call: Call) async throws(ExchangeError) -> Answer {
        switch try await attempt(call, preparing: { _, _ throws(ExchangeError) in true }) {
        case .answered(let answer): return answer
        case .failed(let failure): throw .transport(failure)
        case .withdrawn: preconditionFailure("no preparation withdraws a query")
        }
    }

    /// Sends a signed request once.
    ///
    /// - Parameter prepare: is called with the stamp and the key when everything else is ready; nothing is sent if it
    ///   returns false.
    /// - Throws: ``ExchangeError``: nothing was sent.
    func attempt(
        _ call: Call, preparing prepare: (Stamp, APIKey) async throws(ExchangeError) -> Bool
    ) async throws(ExchangeError) -> Attempt {
        try await checkPause(for: call)
        let server = try await currentClock(for: call)
        let credential = try await credential()
        // Held until the answer is there: requests that overtake each other would arrive with falling nonces.
        let turn = dialect.hasNonces ? try await state.turn(.nonce, of: credential.key, clock: clock) : nil
        defer { withExtendedLifetime(turn) {} }
        // Another process may have been banned meanwhile.
        try await checkPause(for: call)
        let nonce = dialect.hasNonces ? try state.drawNonce(of: credential.key, now: clock.now()) : 0
        let stamp = Stamp(time: server.time(at: clock.now()), window: window, nonce: nonce)
        guard let request = dialect.request(call, at: origin, by: credential, stamp: stamp) else {
            preconditionFailure("every signed call has a request of valid characters")
        }
        guard try await prepare(stamp, credential.key) else { return .withdrawn }
        switch await send(request) {
        case .failure(let failure): return .failed(failure)
        case .success(let response):
            let answer = await note(response, dialect.answer(response, to: call, now: clock.now()))
            // The record of the last use is a convenience: the request has been made.
            if notesUse, case .success = answer {
                try? await keyring.noteUse(of: label, credential.key, now: clock.now())
            }
            return .answered(answer)
        }
    }

    /// Marks the difference of the clocks as unknown.
    func forgetClock() { serverClock = nil }

    /// Measures the difference of the clocks.
    ///
    /// - Parameter call: the request that needs it.
    func measureClock(for call: Call = .time) async throws(ExchangeError) -> ServerClock {
        try await checkPause(for: call)
        guard let request = dialect.request(.time, at: origin) else {
            preconditionFailure("every exchange tells its time")
        }
        let response: HTTPResponse
        switch await send(request) {
        case .failure(let failure): throw .transport(failure)
        case .success(let answered): response = answered
        }
        let received = clock.now()
        let answer = await note(response, dialect.answer(response, to: .time, now: received))
        // The request has no time that could be wrong.
        if case .clock(let refusal) = answer { throw .refused(refusal) }
        guard let time = dialect.time(in: try answer.result()) else { throw .unclear(.answer) }
        let measured = ServerClock(stamp: time, received: received)
        serverClock = measured
        return measured
    }

    private func currentClock(for call: Call) async throws(ExchangeError) -> ServerClock {
        if let serverClock, !serverClock.isStale(at: clock.now()) { return serverClock }
        return try await measureClock(for: call)
    }

    private func send(_ request: HTTPRequest) async -> Result<HTTPResponse, HTTPFailure> {
        do throws(HTTPFailure) { return .success(try await transport.send(request)) } catch { return .failure(error) }
    }

    // MARK: Limits

    /// Stores the pause of an answer, and the counts of its headers.
    private func note(_ response: HTTPResponse, _ answer: Answer) async -> Answer {
        usage.read(response, now: clock.now())
        if let record = answer.pause {
            obey(record)
            // If the disk is full, this process still obeys.
            try? await state.store(record, at: venue, clock: clock)
        }
        return answer
    }

    /// Measures a pause from now on. A shorter one does not end a longer one.
    private func obey(_ record: WaitRecord) {
        // A pause that is measured already ends by this measure, also if the time of day was set back.
        guard record != obeyed else { return }
        obeyed = record
        let measured = MeasuredWait(record.wait, clock)
        if !record.stopsCancellings {
            if measured.end > counterPause?.end ?? .zero { counterPause = measured }
        } else if measured.end > pause?.end ?? .zero {
            pause = measured
        }
    }

    /// - Throws: ``ExchangeError/mustWait(_:)`` while a pause lasts that stops the request.
    func checkPause(for call: Call = .time) async throws(ExchangeError) {
        // Another process may have stored a longer one.
        if let stored = try await state.wait(at: venue, clock: clock) { obey(stored) }
        let counted = call.isCancelling ? nil : counterPause
        let waits = [pause?.remaining(clock), counted?.remaining(clock), usage.pause(at: clock.now())].compactMap { $0 }
        if let wait = waits.max(by: { $0.until < $1.until }) { throw .mustWait(wait) }
    }
}
