internal import SigningSession
package import Texts

extension MessageSignerFault {
    /// The failure of a command that signs a message.
    ///
    /// - Parameter address: the address as the person wrote it.
    package func failure(address: String?) -> Failure {
        switch self {
        case .accountForBitcoin:
            .usage("--type is of Bitcoin; an account of Ethereum signs with --chain ethereum")
        case .notOurs(let wallet):
            Failure(
                code: .usage, name: "not_our_address",
                message: "this is not one of the addresses of '\(wallet)' that can sign a message",
                hint: "name it with --type and --index, or --account")
        case .bitcoinAddress(let error): error.failure(ofAddress: address ?? "")
        case .account(let error): error.failure(ofAddress: address ?? "")
        case .key(let error): error.failure
        case .custody(let error): error.failure
        }
    }
}
