package import Ethereum

extension EthereumAddress {
    /// Returns the address whose 20 bytes have this value.
    package static func repeating(_ byte: UInt8) -> EthereumAddress {
        guard let address = try? EthereumAddress(bytes: [UInt8](repeating: byte, count: 20)) else {
            preconditionFailure("an address has 20 bytes")
        }
        return address
    }
}
