extension ColumnSealer {
    /// Seals a text.
    package func seal(text: String, at place: Place) throws(StoreError) -> SQLValue {
        .bytes(try seal(Array(text.utf8), at: place))
    }

    /// Seals bytes, if there are any.
    package func seal(optional bytes: [UInt8]?, at place: Place) throws(StoreError) -> SQLValue {
        guard let bytes else { return .null }
        return .bytes(try seal(bytes, at: place))
    }

    /// Opens a sealed text.
    package func openText(_ sealed: [UInt8], at place: Place) throws(StoreError) -> String {
        guard let text = String(validating: try open(sealed, at: place), as: UTF8.self) else { throw .sealIsBroken }
        return text
    }

    /// Opens sealed bytes, if there are any.
    package func open(optional sealed: [UInt8]?, at place: Place) throws(StoreError) -> [UInt8]? {
        guard let sealed else { return nil }
        return try open(sealed, at: place)
    }
}
