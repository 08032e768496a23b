#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A child process, killed with this value if it has not ended by then.
///
/// It replaces Foundation's `Process`: on Linux that type passes on the signal mask of the calling thread, and on the
/// threads of the tests SIGTERM is blocked. A program started that way cannot be asked to stop.
final class Child {
    struct NotStarted: Error, Equatable, CustomStringConvertible {
        let program: String
        let errno: Int32
        var description: String { "\(program) could not be started: error \(errno)" }
    }

    private let process: pid_t
    private var isOver = false

    /// Starts `program` (an absolute path).
    ///
    /// - Parameter descriptors: its standard input, output and error, which the caller closes.
    init(
        _ program: String, _ arguments: [String], environment: [String: String], in folder: String?,
        descriptors: [Int32]
    ) throws {
        #if canImport(Darwin)
            var attributes: posix_spawnattr_t?
            var actions: posix_spawn_file_actions_t?
        #else
            var attributes = posix_spawnattr_t()
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawnattr_init(&attributes)
        posix_spawn_file_actions_init(&actions)
        defer {
            posix_spawnattr_destroy(&attributes)
            posix_spawn_file_actions_destroy(&actions)
        }
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
        for (target, descriptor) in descriptors.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(target))
        }
        #if canImport(Glibc)
            // Libraries open sockets that children inherit. A child that keeps one keeps its peer from seeing the end.
            // The function is newer than Swift's list of the C library's.
            typealias CloseFrom = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
            if let function = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") {
                _ = unsafeBitCast(function, to: CloseFrom.self)(&actions, Int32(descriptors.count))
            }
        #endif

        // Not every C library's Swift interface has the system's call for this; the shell does.
        let inFolder = ["/bin/sh", "-c", #"cd "$0" && exec "$@""#, folder ?? "/"]
        let command = (folder == nil ? [] : inFolder) + [program] + arguments
        var words = command.map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + variables { free(text) } }
        var process: pid_t = 0
        let error = posix_spawn(&process, command[0], &actions, &attributes, &words, &variables)
        guard error == 0 else { throw NotStarted(program: program, errno: error) }
        self.process = process
    }

    deinit {
        guard !isOver else { return }
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
    }

    /// Sends the process a signal, unless it has ended.
    func signal(_ number: Int32) {
        if !isOver { kill(process, number) }
    }

    /// Waits for its end. Returns its exit status, or the negated number of the signal that ended it; `nil` if it is
    /// still running.
    func wait(milliseconds: Int) -> Int32? {
        var status: Int32 = 0
        guard Patience.poll(milliseconds: milliseconds, until: { waitpid(process, &status, WNOHANG) == process }) else {
            return nil
        }
        isOver = true
        let signal = status & 0x7f
        return signal == 0 ? (status >> 8) & 0xff : -signal
    }
}

/// A file descriptor that is closed with this value, and that no child process inherits by accident.
struct Descriptor: ~Copyable {
    let number: Int32

    init(reading path: String) throws { try self.init(open(path, O_RDONLY | O_CLOEXEC), path) }

    init(writing path: String) throws { try self.init(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600), path) }

    private init(_ number: Int32, _ path: String) throws {
        guard number >= 0 else { throw Child.NotStarted(program: path, errno: errno) }
        self.number = number
    }

    deinit { close(number) }
}
