#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Writes a line to standard output by one system call, so that a crash test finds all of it or none.
func say(_ text: String) {
    let bytes = [UInt8]((text + "\n").utf8)
    _ = write(1, bytes, bytes.count)
}
