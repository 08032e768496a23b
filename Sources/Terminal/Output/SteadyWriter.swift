package import Texts

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A writer for a command that runs until it is ended. It blocks no thread while the reader stalls, and notices when the
/// reader goes away.
package struct SteadyWriter: Sendable {
    /// The outcomes of writing.
    package enum Delivery: Equatable, Sendable {
        /// Every byte is written.
        case written
        /// The reader went away.
        case abandoned
        /// The reader took nothing for the whole time.
        case stalled
        /// The caller no longer wants it.
        case stopped
    }

    /// The bytes that a pipe takes at once if it takes any (POSIX, `PIPE_BUF`).
    private static let piece = 512
    /// The pause between two looks at a full pipe.
    package static let look = Duration.milliseconds(50)

    private let descriptor: Int32
    private let looks: Int
    private let clock: any Clock<Duration>

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - descriptor: the file descriptor; 1 for standard output.
    ///   - patience: the time for which the reader may take nothing.
    package init(_ descriptor: Int32 = 1, patience: Duration, clock: any Clock<Duration>) {
        self.descriptor = descriptor
        self.clock = clock
        looks = max(1, Int(patience / Self.look))
    }

    /// Whether the reader of a pipe went away.
    package var isAbandoned: Bool { readiness & (POLLERR | POLLNVAL) != 0 }

    private var readiness: Int32 {
        var stream = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&stream, 1, 0) == 1 ? Int32(stream.revents) : 0
    }

    /// Writes bytes.
    ///
    /// - Parameter isOver: tells while the reader stalls whether to stop.
    /// - Throws: ``Failure/unwritable(_:_:)``, for example if a disk is full.
    package func write(_ bytes: [UInt8], unless isOver: () -> Bool) async throws(Failure) -> Delivery {
        var rest = bytes[...]
        var stalled = 0
        while !rest.isEmpty {
            let state = readiness
            if state & (POLLERR | POLLNVAL) != 0 { return .abandoned }
            let count =
                state == 0 ? 0 : rest.prefix(Self.piece).withUnsafeBytes { StandardStream.write(descriptor, $0) }
            if count > 0 {
                rest = rest.dropFirst(count)
                stalled = 0
                continue
            }
            if count < 0 {
                if errno == EPIPE { return .abandoned }
                guard [EAGAIN, EWOULDBLOCK, EINTR].contains(errno) else { throw .unwritable("standard output", errno) }
            }
            if isOver() { return .stopped }
            stalled += 1
            guard stalled <= looks else { return .stalled }
            do { try await clock.sleep(for: Self.look) } catch { return .stopped }
        }
        return .written
    }
}
