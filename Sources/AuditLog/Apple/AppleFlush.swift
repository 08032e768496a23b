#if canImport(Darwin)
    internal import Darwin

    /// Makes the bytes of a file survive a loss of power. `fsync` on Apple's systems only hands the bytes to the drive;
    /// `F_FULLFSYNC` makes the drive write them, and some file systems do not know it.
    func flushData(_ descriptor: Int32) -> Int32 {
        let result = fcntl(descriptor, F_FULLFSYNC)
        return result == 0 || errno != ENOTSUP ? result : fsync(descriptor)
    }

    /// Makes the names in a folder survive a loss of power.
    func flushFolder(_ descriptor: Int32) -> Int32 { flushData(descriptor) }
#endif
