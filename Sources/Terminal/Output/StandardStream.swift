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

    /// Opens the null device on each standard stream that the caller has closed. Otherwise the next opened file, such as
    /// a vault, would take the number of the stream, and a result would be written into that file. The device is opened
    /// for reading: writing to the stream is an error as before.
    package static func occupyClosed() {
        for stream in Int32(0)...2 where fcntl(stream, F_GETFD) < 0 && errno == EBADF {
            // The lowest free number is that of the stream: those below it are open.
            _ = open("/dev/null", O_RDONLY)
        }
    }

    /// Writes bytes.
    ///
    /// - Throws: ``Failure/unwritable(_:_:)``, for example if a disk is full. A reader that went away is not an error.
    package func write(_ bytes: [UInt8]) throws(Failure) {
        do throws(Fault) { try writeAll(bytes) } catch {
            guard error.number == EPIPE else {
                throw .unwritable(self == .output ? "standard output" : "standard error", error.number)
            }
        }
    }

    /// Writes the result of something that was done. When it returns, every byte is written, and flushed to the disk if
    /// the stream is a file.
    ///
    /// - Throws: ``Failure/unreported(_:)``, also if the reader went away.
    package func report(_ bytes: [UInt8]) throws(Failure) {
        do throws(Fault) {
            try writeAll(bytes)
            var status = stat()
            guard fstat(rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
            guard fsync(rawValue) == 0 else { throw Fault(number: errno) }
        } catch { throw .unreported(error.number) }
    }

    /// The number of a system's error.
    private struct Fault: Error { let number: Int32 }

    private func writeAll(_ bytes: [UInt8]) throws(Fault) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Self.write(rawValue, $0) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count < 0, errno == EAGAIN || errno == EWOULDBLOCK {
                // A caller may have made its end of a full pipe non-blocking.
                _ = isReady(within: -1)
            } else if count == 0 || errno != EINTR {
                throw Fault(number: count == 0 ? EIO : errno)
            }
        }
    }

    package func write(_ text: String) throws(Failure) { try write(Array(text.utf8)) }

    /// Calls the system's function. Returns the number of written bytes, or -1.
    static func write(_ stream: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
            Glibc.write(stream, bytes.baseAddress, bytes.count)
        #elseif canImport(Musl)
            Musl.write(stream, bytes.baseAddress, bytes.count)
        #else
            Darwin.write(stream, bytes.baseAddress, bytes.count)
        #endif
    }
}
