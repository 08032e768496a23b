/// The limits of open connections.
public struct ConnectionSettings: Equatable, Sendable {
    /// Connections of all addresses together.
    public var total: Int
    /// Connections of one address, or of one IPv6 network of 64 bits.
    public var ofAddress: Int

    /// Creates limits of all connections together and of one address.
    public init(total: Int, ofAddress: Int) {
        self.total = total
        self.ofAddress = ofAddress
    }
}
