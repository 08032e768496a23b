public import ExchangeCredentials

extension ExchangeHome {
    /// Opens the journals, nonces and pauses, and makes their folders if they are missing.
    ///
    /// - Throws: ``ExchangeError/state(_:)``.
    public func state() throws(ExchangeError) -> ExchangeState {
        try ExchangeState(folder: "\(path)/state", seen: "\(path)/state.seen")
    }
}
