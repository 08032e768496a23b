#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Standard output or standard error. What is written is out when the call returns.
package enum StandardStream: Int32 {
    case output = 1
    case errors = 2

    /// Whether something can be written within a time: a pipe is full while its reader stalls.
    ///
    /// - Parameter patience: milliseconds.
    func isReady(within patience: Int32) -> Bool {
        var stream = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
        return poll(&stream, 1, patience) == 1
    }

    /// - Throws: ``Failure/unwritable(_:_:)``, as when a disk is full. A reader that went away is no error of ours.
    package func write(_ bytes: [UInt8]) throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Self.write(rawValue, $0) }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EPIPE { return }
            guard count > 0 else { throw .unwritable(self == .output ? "standard output" : "standard error", errno) }
            rest = rest.dropFirst(count)
        }
    }

    package func write(_ text: String) throws(Failure) { try write(Array(text.utf8)) }

    private static func write(_ stream: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
            Glibc.write(stream, bytes.baseAddress, bytes.count)
        #elseif canImport(Musl)
            Musl.write(stream, bytes.baseAddress, bytes.count)
        #else
            Darwin.write(stream, bytes.baseAddress, bytes.count)
        #endif
    }
}
