extension ColumnSealer {
    /// Seals a text.
    func seal(_ text: String, at place: Place) throws(StoreError) -> SQLValue {
        .bytes(try seal(Array(text.utf8), at: place))
    }

    /// Seals bytes, if there are any.
    func seal(_ bytes: [UInt8]?, at place: Place) throws(StoreError) -> SQLValue {
        guard let bytes else { return .null }
        return .bytes(try seal(bytes, at: place))
    }

    /// Opens a sealed text.
    func openText(_ sealed: [UInt8], at place: Place) throws(StoreError) -> String {
        guard let text = String(validating: try open(sealed, at: place), as: UTF8.self) else { throw .sealIsBroken }
        return text
    }

    /// Opens sealed bytes, if there are any.
    func open(_ sealed: [UInt8]?, at place: Place) throws(StoreError) -> [UInt8]? {
        guard let sealed else { return nil }
        let bytes: [UInt8] = try open(sealed, at: place)
        return bytes
    }
}
