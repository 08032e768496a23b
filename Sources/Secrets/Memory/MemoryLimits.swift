#if canImport(Darwin)
    internal import Darwin
    private let lockedMemory = RLIMIT_MEMLOCK
#elseif canImport(Musl)
    internal import Musl
    private let lockedMemory = RLIMIT_MEMLOCK
#else
    internal import Glibc
    private let lockedMemory = __rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue)
#endif

extension SecretMemory.Limits {
    /// The standard limits: a quarter of this machine's memory, between 64 MiB and 2 GiB, and 65,536 sessions.
    ///
    /// The limit does not depend on how many bytes can be locked: systems lock 8 MiB, and a server that stopped there
    /// would be useless. ``SecretMemory/state`` reports the unlocked pages. 2 GiB in arenas are half of the mappings
    /// that Linux allows. The number of sessions limits a session's other costs: messages, tasks and connections. In a
    /// container with less memory than its machine, set limits.
    public static let standard: Self = {
        let memory = Int(sysconf(Int32(_SC_PHYS_PAGES))) * Int(sysconf(Int32(_SC_PAGESIZE)))
        return Self(bytes: min(max(memory / 4, 64 << 20), 2 << 30), sessions: 65_536)
    }()
}

extension SecretMemory {
    /// The number of bytes that this process may lock against swapping (`RLIMIT_MEMLOCK`); nil without a limit.
    ///
    /// A process with the right privilege can lock more.
    public static var lockLimit: Int? {
        var limit = rlimit()
        guard getrlimit(lockedMemory, &limit) == 0, limit.rlim_cur != .max, limit.rlim_cur < UInt64(Int.max) else {
            return nil
        }
        return Int(limit.rlim_cur)
    }
}
