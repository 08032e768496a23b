extension Optional {
    /// The value that a format requires here.
    ///
    /// - Throws: ``EncodingError/unsupported`` if it is missing.
    package var present: Wrapped {
        get throws(EncodingError) {
            guard let self else { throw .unsupported }
            return self
        }
    }
}
