extension UnsafeMutableRawBufferPointer {
    /// Where it begins.
    ///
    /// - Precondition: not empty.
    var origin: UnsafeMutableRawPointer {
        guard let base = baseAddress else { preconditionFailure("a buffer without memory") }
        return base
    }

    /// Part of it.
    @inline(__always)
    func part(_ offset: Int, _ count: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: self[offset..<(offset + count)])
    }
}

extension UnsafeRawBufferPointer {
    /// Where it begins.
    ///
    /// - Precondition: not empty.
    var origin: UnsafeRawPointer {
        guard let base = baseAddress else { preconditionFailure("a buffer without memory") }
        return base
    }

    /// Part of it.
    @inline(__always)
    func part(_ offset: Int, _ count: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[offset..<(offset + count)])
    }
}
