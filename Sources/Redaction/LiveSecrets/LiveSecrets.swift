public import Secrets
internal import Synchronization

/// The secrets that a program uses now, so that a ``Redactor`` finds them in whatever it writes: as they are, in
/// hexadecimal, in Base64 at each of its three offsets, in base64url, over several lines, as a list of numbers,
/// percent-encoded, escaped as in JSON, and in pieces of eight bytes or more.
///
/// The copies lie in guarded memory, as do the tables that are made of them.
public final class LiveSecrets: Sendable {
    private struct State {
        var secrets: [UInt64: HeldSecret] = [:]
        var next: UInt64 = 0
        /// Made when a text is scanned, and again after a change.
        var windows: SecretWindows?
    }

    private let state = Mutex(State())
    /// Secret, so that nobody chooses texts whose pieces share a place in the table.
    private let key: HeldSecret

    /// Creates an empty list.
    ///
    /// - Parameter random: of which the key of the tables is drawn.
    public init(random: some RandomSource = SystemRandom()) { key = HeldSecret(SecretBytes(count: 16, from: random)) }

    /// Registers a secret, until the returned value is dropped.
    ///
    /// - Throws: ``RedactionError``.
    public func register(_ secret: borrowing SecretBytes) throws(RedactionError) -> LiveSecret {
        guard secret.count >= RedactionLimits.leastSecretSize else { throw .secretTooShort(secret.count) }
        guard secret.count <= RedactionLimits.mostSecretSize else { throw .secretTooLong(secret.count) }
        let held = HeldSecret(secret.clone())
        let number: UInt64? = state.withLock { state in
            guard state.secrets.count < RedactionLimits.liveSecrets else { return nil }
            state.next += 1
            state.secrets[state.next] = held
            state.windows = nil
            return state.next
        }
        guard let number else { throw .tooManySecrets }
        return LiveSecret(number: number, of: self)
    }

    fileprivate func forget(_ number: UInt64) {
        state.withLock { state in
            state.secrets[number] = nil
            state.windows = nil
        }
    }

    /// The windows of all secrets that are registered now; nil if there are none.
    func windows() -> SecretWindows? {
        state.withLock { state in
            guard !state.secrets.isEmpty else { return nil }
            if let windows = state.windows { return windows }
            let windows = SecretWindows(of: Array(state.secrets.values), key: key.bytes)
            state.windows = windows
            return windows
        }
    }
}

/// A registered secret: it is found in texts as long as this value lives.
public struct LiveSecret: ~Copyable, Sendable {
    private let number: UInt64
    private let secrets: LiveSecrets

    fileprivate init(number: UInt64, of secrets: LiveSecrets) {
        self.number = number
        self.secrets = secrets
    }

    deinit { secrets.forget(number) }
}

/// Why a secret was not registered.
public enum RedactionError: Error, Equatable, Sendable {
    /// Fewer bytes than ``RedactionLimits/leastSecretSize``: ordinary text would be redacted.
    case secretTooShort(Int)
    /// More bytes than ``RedactionLimits/mostSecretSize``.
    case secretTooLong(Int)
    /// ``RedactionLimits/liveSecrets`` are registered.
    case tooManySecrets
}
