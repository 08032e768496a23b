internal import PinnedHTTP
internal import PinnedWebSockets
internal import Secrets
internal import Synchronization
internal import Time

/// The subscription of each new connection of a feed, and the reason for which it was last refused.
final class FeedSubscription: Sendable {
    private let dialect: any StreamDialect
    private let clock: ExchangeClock
    private let messages: @Sendable () async throws(ExchangeError) -> [SubscriptionText]
    private let confirmations: Int
    private let note: @Sendable (WaitRecord) async -> Void
    private let problem = Mutex<ExchangeError?>(nil)

    /// Creates a subscription.
    ///
    /// - Parameters:
    ///   - messages: makes the messages of one attempt: a signature and a token are used once.
    ///   - note: stores a pause that the exchange asks for.
    init(
        _ dialect: any StreamDialect, confirmations: Int, clock: ExchangeClock,
        note: @escaping @Sendable (WaitRecord) async -> Void = { _ in },
        messages: @escaping @Sendable () async throws(ExchangeError) -> [SubscriptionText]
    ) {
        self.dialect = dialect
        self.confirmations = confirmations
        self.clock = clock
        self.note = note
        self.messages = messages
    }

    /// Takes the reason of the last refusal.
    func takeProblem() -> ExchangeError? {
        problem.withLock { problem in
            defer { problem = nil }
            return problem
        }
    }

    /// Subscribes a connection.
    ///
    /// - Throws: `WebSocketFailure.lost(_:)` if another attempt may succeed; otherwise the ``ExchangeError``.
    @Sendable func subscribe(_ opening: WebSocketOpening) async throws {
        do throws(ExchangeError) {
            for message in try await messages() {
                do throws(WebSocketFailure) { try await opening.send(.text(message.text)) } catch {
                    throw ExchangeError(error)
                }
            }
            var left = confirmations
            while left > 0 {
                let message: WebSocketMessage
                do throws(WebSocketFailure) { message = try await opening.next() } catch { throw ExchangeError(error) }
                guard case .text(let text) = message else { continue }
                switch dialect.read(text, now: clock.now()) {
                case .confirmed: left -= 1
                case .failed(let answer): throw await failure(answer)
                default: break
                }
            }
        } catch {
            problem.withLock { $0 = error }
            if error.mayPass(now: clock.now()) { throw WebSocketFailure.lost(.notSubscribed) }
            throw error
        }
    }

    private func failure(_ answer: Answer) async -> ExchangeError {
        if let record = answer.pause { await note(record) }
        do throws(ExchangeError) {
            _ = try answer.result()
            return .unclear(.answer)
        } catch { return error }
    }
}

/// A message of a subscription, which can have a token or a signature.
final class SubscriptionText: Sendable {
    private let bytes: SecretBytes

    init(_ text: String) {
        let bytes = Array(text.utf8)
        self.bytes = SecretBytes(count: bytes.count) { $0.copyBytes(from: bytes) }
    }

    /// The text for the connection. It is in ordinary memory until it has been sent.
    var text: String { bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
}

extension ExchangeError {
    /// Whether another attempt to subscribe may succeed soon.
    func mayPass(now: Timestamp) -> Bool {
        switch self {
        case .transport(let failure):
            switch failure.reason {
            case .untrusted, .notPinned, .notEncrypted, .tooLarge: false
            default: true
            }
        case .mustWait(let wait): wait.until.since(now) <= ExchangeLimits.streamWait
        case .unclear, .busy, .clock: true
        default: false
        }
    }
}
