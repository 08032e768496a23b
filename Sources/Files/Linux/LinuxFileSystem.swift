#if canImport(Glibc)
    internal import Glibc

    /// The functions of the file system that differ between Apple's systems and Linux.
    enum FileSystem {
        static var lastError: Int32 { errno }

        /// Makes sure that the changes of the file, or the folder, survive a loss of power.
        static func flush(_ descriptor: Int32) -> Int32 { fsync(descriptor) }

        /// Writes the next bytes, perhaps not all. - Returns: how many, or -1.
        static func write(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Int {
            bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        }

        /// Reads the next bytes into `bytes` from `offset` on, perhaps not all that fit. - Returns: how many, 0 at the end, or -1.
        static func read(_ descriptor: Int32, into bytes: inout [UInt8], from offset: Int) -> Int {
            bytes.withUnsafeMutableBytes { bytes in
                let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[offset...])
                return Glibc.read(descriptor, rest.baseAddress, rest.count)
            }
        }

        /// Takes the lock on an open file for itself. - Returns: 0, or -1.
        static func lockWithoutWaiting(_ descriptor: Int32) -> Int32 { flock(descriptor, LOCK_EX | LOCK_NB) }
    }
#endif
