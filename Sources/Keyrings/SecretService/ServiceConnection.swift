internal import CKeyrings
internal import SecureStorage

/// The connection of a store to the Secret Service. It is made at the first call, and again after it was lost.
final class ServiceConnection: @unchecked Sendable {
    // `@unchecked`: only the store's `BoundedCalls` use it, one after the other.

    private let environment: [String: String]
    private let library: String
    private let prompting: SecretServiceStore.Prompting
    private let limit: Duration
    private var session: OpaquePointer?

    init(
        environment: [String: String], library: String, prompting: SecretServiceStore.Prompting, limit: Duration
    ) {
        self.environment = environment
        self.library = library
        self.prompting = prompting
        self.limit = limit
    }

    deinit { close() }

    /// Performs the steps of one operation.
    ///
    /// If the service was restarted, or another program removed an item meanwhile, the steps are made again. A call
    /// that exceeded its deadline is not repeated.
    func perform<Value: ~Copyable>(
        mayPrompt: Bool = true, _ steps: (ServiceSession) throws(ServiceFault) -> Value
    ) throws(SecureStorageError) -> Value {
        guard let bus = SessionBus(in: environment) else {
            throw .backend(.secretService, .unavailable(.noSessionBus))
        }
        if let missing = ck_load(library) {
            throw .backend(.secretService, .unavailable(.library(String(cString: missing))))
        }
        let deadline = CallLimit(limit)
        var fault = BackendFault.malformedAnswer
        for _ in 0..<Limits.attempts {
            do throws(ServiceFault) {
                let session = try opened(bus, deadline)
                return try steps(
                    ServiceSession(session, deadline, prompting: mayPrompt ? prompting : .never, limit: limit))
            } catch {
                switch error {
                case .failed(let error): throw error
                case .lost(let fault):
                    close()
                    throw .backend(.secretService, fault)
                case .noSession:
                    close()
                    fault = .unavailable(.noService)
                case .noObject: fault = .malformedAnswer
                }
            }
        }
        throw .backend(.secretService, fault)
    }

    private func opened(_ bus: SessionBus, _ deadline: CallLimit) throws(ServiceFault) -> OpaquePointer {
        if let session {
            var isCurrent = false
            let outcome = ck_is_current(session, deadline.pointer, &isCurrent)
            if Int(outcome.kind) == ck_ok, isCurrent { return session }
            // Whatever has changed, opening tells. A call without an answer is not repeated.
            close()
            if Int(outcome.kind) == ck_timed_out { throw .lost(.timedOut) }
        }
        var opened: OpaquePointer?
        try ServiceFault.check(ck_open(bus.address, deadline.pointer, &opened))
        guard let opened else { throw .backend(.malformedAnswer) }
        session = opened
        return opened
    }

    private func close() {
        if let session { ck_close(session) }
        session = nil
    }
}
