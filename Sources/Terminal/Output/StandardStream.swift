package import Texts

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Standard output or standard error, without buffering: the bytes are written when a call returns.
package enum StandardStream: Int32 {
    case output = 1
    case errors = 2

    /// Returns whether the stream accepts bytes within a time: a pipe is full while its reader stalls.
    ///
    /// - Parameter patience: the time in milliseconds.
    func isReady(within patience: Int32) -> Bool {
        var stream = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
        return poll(&stream, 1, patience) == 1
    }

    /// Writes bytes.
    ///
    /// - Throws: ``Failure/unwritable(_:_:)``, for example if a disk is full. A reader that went away is not an error.
    package func write(_ bytes: [UInt8]) throws(Failure) { _ = try offer(bytes) }

    /// Writes bytes to a reader who may be gone.
    ///
    /// - Returns: whether all bytes are written: false if the reader went away.
    /// - Throws: ``Failure/unwritable(_:_:)``.
    package func offer(_ bytes: [UInt8]) throws(Failure) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Self.write(rawValue, $0) }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EPIPE { return false }
            guard count > 0 else { throw .unwritable(self == .output ? "standard output" : "standard error", errno) }
            rest = rest.dropFirst(count)
        }
        return true
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
