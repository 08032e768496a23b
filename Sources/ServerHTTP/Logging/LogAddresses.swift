/// How much of a client's address the log has.
public enum LogAddresses: String, Equatable, Sendable, CaseIterable {
    /// An IPv4 address whole, and the first 64 bits of an IPv6 address: the same as in the limits and the security
    /// events.
    case network
    /// The whole address.
    case full
    /// No address.
    case none
}

extension LogAddresses {
    /// Returns the address in the form that the log uses.
    package func text(of address: ClientAddress) -> String? {
        switch self {
        case .network: address.description
        case .full: address.exact
        case .none: nil
        }
    }
}
