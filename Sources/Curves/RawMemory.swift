extension UnsafeRawBufferPointer {
    /// The first byte, as C functions want it.
    ///
    /// - Precondition: not empty.
    var start: UnsafePointer<UInt8> {
        guard let base = bindMemory(to: UInt8.self).baseAddress else { preconditionFailure("a buffer without memory") }
        return base
    }
}

extension UnsafeMutableRawBufferPointer {
    /// The first byte, as C functions want it.
    ///
    /// - Precondition: not empty.
    var start: UnsafeMutablePointer<UInt8> {
        guard let base = bindMemory(to: UInt8.self).baseAddress else { preconditionFailure("a buffer without memory") }
        return base
    }
}
