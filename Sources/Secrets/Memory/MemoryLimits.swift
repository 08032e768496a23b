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
    /// A quarter of this machine's memory, of 64 MiB to 2 GiB, and 65,536 sessions.
    ///
    /// Not less because fewer bytes can be locked: systems lock 8 MiB, and a server that stops there serves no one.
    /// ``SecretMemory/state`` tells what is not locked. 2 GiB in arenas are half of the mappings that Linux allows. The
    /// number of sessions bounds what a session costs beside its secrets: messages, tasks and connections. In a container
    /// with less memory than its machine, set limits.
    public static let standard: Self = {
        let memory = Int(sysconf(Int32(_SC_PHYS_PAGES))) * Int(sysconf(Int32(_SC_PAGESIZE)))
        return Self(bytes: min(max(memory / 4, 64 << 20), 2 << 30), sessions: 65_536)
    }()
}

extension SecretMemory {
    /// How many bytes this process may lock against swapping (`RLIMIT_MEMLOCK`); nothing if there is no limit.
    ///
    /// A process with the right to do so locks more.
    public static var lockLimit: Int? {
        var limit = rlimit()
        guard getrlimit(lockedMemory, &limit) == 0, limit.rlim_cur != .max, limit.rlim_cur < UInt64(Int.max) else {
            return nil
        }
        return Int(limit.rlim_cur)
    }
}
