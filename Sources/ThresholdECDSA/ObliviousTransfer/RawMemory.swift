extension UnsafeMutableRawBufferPointer {
    /// The start of the buffer.
    ///
    /// - Precondition: not empty.
    var origin: UnsafeMutableRawPointer {
        guard let base = baseAddress else { preconditionFailure("a buffer without memory") }
        return base
    }

    /// Returns a part of the buffer.
    ///
    /// - Precondition: The part exists. The library's own subscript checks that in debug builds only.
    @inline(__always)
    func part(_ offset: Int, _ count: Int) -> UnsafeMutableRawBufferPointer {
        precondition(offset >= 0 && count >= 0 && offset <= self.count && count <= self.count - offset)
        return UnsafeMutableRawBufferPointer(rebasing: self[offset..<(offset + count)])
    }
}

extension UnsafeRawBufferPointer {
    /// The start of the buffer.
    ///
    /// - Precondition: not empty.
    var origin: UnsafeRawPointer {
        guard let base = baseAddress else { preconditionFailure("a buffer without memory") }
        return base
    }

    /// Returns a part of the buffer.
    ///
    /// - Precondition: The part exists. The library's own subscript checks that in debug builds only.
    @inline(__always)
    func part(_ offset: Int, _ count: Int) -> UnsafeRawBufferPointer {
        precondition(offset >= 0 && count >= 0 && offset <= self.count && count <= self.count - offset)
        return UnsafeRawBufferPointer(rebasing: self[offset..<(offset + count)])
    }
}
