extension UnsafeRawBufferPointer {
    /// The address of the first byte, for C functions.
    ///
    /// - Precondition: the buffer is not empty.
    var start: UnsafePointer<UInt8> {
        guard let base = bindMemory(to: UInt8.self).baseAddress else { preconditionFailure("a buffer without memory") }
        return base
    }
}

extension UnsafeMutableRawBufferPointer {
    /// The address of the first byte, for C functions.
    ///
    /// - Precondition: the buffer is not empty.
    var start: UnsafeMutablePointer<UInt8> {
        guard let base = bindMemory(to: UInt8.self).baseAddress else { preconditionFailure("a buffer without memory") }
        return base
    }
}
