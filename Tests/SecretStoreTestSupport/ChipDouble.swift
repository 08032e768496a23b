public import Secrets
public import SecureStorage
internal import Synchronization

/// A chip for tests, which seals like a real one: it checks the authorization, counts wrong ones, refuses every one after
/// too many, and forgets what it sealed when it is cleared.
public final class ChipDouble: DeviceSealer {
    private struct State {
        var sealed: [[UInt8]: [(secret: [UInt8], authorization: [UInt8], platform: Int)]] = [:]
        var wrong = 0
        var platform = 0
        var fault: BackendFault?
        var calls = 0
    }

    public let backend: StoreBackend
    private let attempts: Int
    private let state = Mutex(State())

    /// - Parameter attempts: the number of wrong authorizations after which every one is refused.
    public init(_ backend: StoreBackend = .tpm, attempts: Int = 3) {
        self.backend = backend
        self.attempts = attempts
    }

    /// The number of calls that the chip received.
    public var calls: Int { state.withLock { $0.calls } }

    /// Makes every call fail, until it is set to nil.
    public func fail(with fault: BackendFault?) { state.withLock { $0.fault = fault } }

    /// Changes what the chip has bound its secrets to.
    public func changePlatform() { state.withLock { $0.platform += 1 } }

    /// Sets the platform back to what it was in the beginning.
    public func restorePlatform() { state.withLock { $0.platform = 0 } }

    /// Forgets everything.
    public func clear() { state.withLock { $0.sealed = [:] } }

    /// Sets the counter of wrong authorizations back, as an administrator would.
    public func resetLockout() { state.withLock { $0.wrong = 0 } }

    public func seal(
        _ secret: borrowing SecretBytes, authorizedBy authorization: borrowing SecretBytes
    ) throws(SecureStorageError) -> [UInt8] {
        let (secret, authorization) = (Self.bytes(secret), Self.bytes(authorization))
        return try perform { state throws(SecureStorageError) in
            let blob = [UInt8]("chip".utf8) + SystemRandom().publicBytes(count: 28)
            state.sealed[blob] = [(secret, authorization, state.platform)]
            return blob
        }
    }

    public func open(
        _ sealed: [UInt8], authorizedBy authorization: borrowing SecretBytes
    ) throws(SecureStorageError) -> SecretBytes {
        let given = Self.bytes(authorization)
        var bytes = try perform { state throws(SecureStorageError) -> [UInt8] in
            guard let entry = state.sealed[sealed]?.first else { throw self.error(.bindingChanged(.device)) }
            guard entry.platform == state.platform else { throw self.error(.bindingChanged(.platformState)) }
            guard state.wrong < self.attempts else { throw self.error(.lockedOut(seconds: nil)) }
            guard entry.authorization == given else {
                state.wrong += 1
                throw self.error(.authenticationFailed(attemptsLeft: self.attempts - state.wrong))
            }
            return entry.secret
        }
        return SecretBytes(moving: &bytes)
    }

    private func error(_ fault: BackendFault) -> SecureStorageError { .backend(backend, fault) }

    private func perform<Value>(
        _ body: (inout State) throws(SecureStorageError) -> Value
    ) throws(SecureStorageError) -> Value {
        let result: Result<Value, SecureStorageError> = state.withLock { state in
            state.calls += 1
            if let fault = state.fault { return .failure(error(fault)) }
            do throws(SecureStorageError) { return .success(try body(&state)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    private static func bytes(_ secret: borrowing SecretBytes) -> [UInt8] { secret.withUnsafeBytes { Array($0) } }
}
