#if canImport(Glibc)
    internal import Glibc

    /// Makes the bytes of a file survive a loss of power, with as much of its description as reading them needs.
    func flushData(_ descriptor: Int32) -> Int32 { fdatasync(descriptor) }

    /// Makes the names in a folder survive a loss of power.
    func flushFolder(_ descriptor: Int32) -> Int32 { fsync(descriptor) }
#endif
