internal import Synchronization

/// The memory of all secrets in this process: how much there is, whether it is locked, and how much is admitted.
///
/// A single secret needs no admission, because the program determines how many there are. Where input determines the
/// number, as for open sessions or loaded shares, the owner is admitted first:
///
/// ```swift
/// let admission = try SecretMemory.admit(120_000, as: .session)   // throws where the process has no room
/// ```
///
/// The memory belongs to the process, and so does this: the only thing here that is not passed as a value.
public enum SecretMemory {
    /// The limits of a process for secrets and sessions.
    public struct Limits: Equatable, Sendable {
        /// Bytes of secrets, as the admitted callers have estimated them.
        public let bytes: Int
        /// Sessions that are open at the same time.
        public let sessions: Int

        /// Creates limits of `bytes` bytes of secrets in total, and `sessions` sessions.
        ///
        /// - Precondition: both are positive.
        public init(bytes: Int, sessions: Int) {
            precondition(bytes > 0 && sessions > 0, "limits that admit something")
            self.bytes = bytes
            self.sessions = sessions
        }
    }

    /// The process has no memory for another session or share. Try again when others have ended.
    public enum Exhausted: Error, Equatable, Sendable {
        /// All bytes are admitted already.
        case bytes(limit: Int)
        /// The maximum number of sessions is open.
        case sessions(limit: Int)
    }

    /// The kinds of admitted owners.
    public enum Purpose: Equatable, Sendable {
        /// A session, which other participants keep open as long as they do not answer.
        case session
        /// A loaded share, or a part of a session that is admitted separately.
        case share
    }

    /// The state of the memory.
    public struct State: Equatable, Sendable {
        /// Bytes that are mapped for secrets, spare ones included.
        public let mapped: Int
        /// Bytes of these that the system did not lock: it may write them to a swap device.
        public let unlocked: Int
        /// Bytes that are admitted.
        public let admitted: Int
        /// Sessions that are admitted.
        public let sessions: Int

        /// Creates a state from its counts: memory in bytes, and the number of sessions.
        public init(mapped: Int, unlocked: Int, admitted: Int, sessions: Int) {
            self.mapped = mapped
            self.unlocked = unlocked
            self.admitted = admitted
            self.sessions = sessions
        }
    }

    /// The present state.
    public static var state: State {
        let accounts = accounts.withLock { $0 }
        return State(
            mapped: GuardedRegion.mapped.load(ordering: .relaxed),
            unlocked: GuardedRegion.unlocked.load(ordering: .relaxed), admitted: accounts.bytes,
            sessions: accounts.sessions)
    }

    /// The limits of this process: at first ``Limits/standard``.
    public static var limits: Limits { accounts.withLock { $0.limits } }

    /// Sets the limits from now on. Existing admissions stay.
    public static func limit(to limits: Limits) { accounts.withLock { $0.limits = limits } }

    /// Admits an owner of this many bytes, as long as the result exists.
    ///
    /// - Parameter bytes: the secrets that exist at the same time, rounded up; secrets that live only while one message
    ///   is answered do not count.
    /// - Throws: ``Exhausted``.
    public static func admit(_ bytes: Int, as purpose: Purpose) throws(Exhausted) -> Admission {
        precondition(bytes >= 0, "nothing has a negative size")
        let sessions = purpose == .session ? 1 : 0
        let refusal: Exhausted? = accounts.withLock { accounts in
            guard accounts.sessions + sessions <= accounts.limits.sessions || sessions == 0 else {
                return .sessions(limit: accounts.limits.sessions)
            }
            guard bytes <= accounts.limits.bytes - accounts.bytes else { return .bytes(limit: accounts.limits.bytes) }
            accounts.bytes += bytes
            accounts.sessions += sessions
            return nil
        }
        if let refusal { throw refusal }
        return Admission(bytes: bytes, sessions: sessions)
    }

    /// Admitted memory. It is released with this value.
    public struct Admission: ~Copyable, Sendable {
        fileprivate let bytes: Int
        fileprivate let sessions: Int

        /// Keeps the memory of a session's remaining secrets, without another admission: the rest is released, and the
        /// session no longer counts.
        ///
        /// - Precondition: No more bytes than were admitted.
        public consuming func kept(_ count: Int) -> Admission {
            precondition(count >= 0 && count <= bytes, "more is kept than was admitted")
            let (bytes, sessions) = (bytes, sessions)
            discard self
            SecretMemory.giveBack(bytes - count, sessions)
            return Admission(bytes: count, sessions: 0)
        }

        deinit { SecretMemory.giveBack(bytes, sessions) }
    }

    private static func giveBack(_ bytes: Int, _ sessions: Int) {
        accounts.withLock { accounts in
            accounts.bytes -= bytes
            accounts.sessions -= sessions
        }
    }

    private struct Accounts {
        var limits = Limits.standard
        var bytes = 0
        var sessions = 0
    }

    private static let accounts = Mutex(Accounts())
}
