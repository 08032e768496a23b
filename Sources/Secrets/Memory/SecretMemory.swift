internal import Synchronization

/// The memory of all secrets of this process: how much there is, whether it is locked, and how much is given away.
///
/// A single secret asks nobody: how many there are then follows from the program. Where input decides the number, as that of
/// open sessions or of loaded shares, what is going to hold them is admitted first:
///
/// ```swift
/// let admission = try SecretMemory.admit(120_000, as: .session)   // throws where the process has no room
/// ```
///
/// The memory is the process's, and so is this: the one thing here that is not passed as a value.
public enum SecretMemory {
    /// How much a process admits.
    public struct Limits: Equatable, Sendable {
        /// Bytes of secrets, as those who are admitted have reckoned them.
        public let bytes: Int
        /// Sessions that are open at the same time.
        public let sessions: Int

        /// Asks for memory for secrets of `bytes` bytes in total, in `sessions` sessions.
        ///
        /// - Precondition: both are positive.
        public init(bytes: Int, sessions: Int) {
            precondition(bytes > 0 && sessions > 0, "limits that admit something")
            self.bytes = bytes
            self.sessions = sessions
        }
    }

    /// The process has no room for what was to be begun. It is nobody's fault: try again when other sessions have ended.
    public enum Exhausted: Error, Equatable, Sendable {
        /// All bytes are given away.
        case bytes(limit: Int)
        /// As many sessions are open as may be.
        case sessions(limit: Int)
    }

    /// What is admitted.
    public enum Purpose: Equatable, Sendable {
        /// A session, which other participants keep open as long as they do not answer.
        case session
        /// A loaded share, or a part of a session that was admitted for itself.
        case share
    }

    /// How it stands with the memory.
    public struct State: Equatable, Sendable {
        /// Bytes that are mapped for secrets, the spare ones too.
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

    /// How it stands now.
    public static var state: State {
        let accounts = accounts.withLock { $0 }
        return State(
            mapped: GuardedRegion.mapped.load(ordering: .relaxed),
            unlocked: GuardedRegion.unlocked.load(ordering: .relaxed), admitted: accounts.bytes,
            sessions: accounts.sessions)
    }

    /// What this process admits: at first ``Limits/standard``.
    public static var limits: Limits { accounts.withLock { $0.limits } }

    /// Sets what this process admits from now on. What is admitted already stays so.
    public static func limit(to limits: Limits) { accounts.withLock { $0.limits = limits } }

    /// Makes room for something of so many bytes, for as long as the result lives.
    ///
    /// - Parameter bytes: the secrets that it holds at the same time, reckoned upwards; what lives only while one message is
    ///   answered does not count.
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

    /// Room that was made. It is given back when this goes.
    public struct Admission: ~Copyable, Sendable {
        fileprivate let bytes: Int
        fileprivate let sessions: Int

        /// The room of what a session leaves behind, without asking again: the rest is given back, and the session is none any more.
        ///
        /// - Precondition: no more bytes than were admitted.
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
