internal import Bitcoin
internal import Ethereum
internal import Terminal

/// Reads an address of Bitcoin. What is wrong with its text is wrong with an address: the reader of Base58 does not know what it reads.
func attemptAddress<Value>(_ read: () throws(BitcoinError) -> Value) throws(Failure) -> Value {
    do throws(BitcoinError) { return try read() } catch .wrongNetwork {
        throw Failure(code: .malformed, name: "bad_address", message: "this is an address of another network")
    } catch {
        throw .badAddress
    }
}

/// Reads an address of Ethereum.
func attemptAddress<Value>(_ read: () throws(EthereumError) -> Value) throws(Failure) -> Value {
    do throws(EthereumError) { return try read() } catch { throw .badAddress }
}

extension Failure {
    fileprivate static var badAddress: Failure {
        Failure(code: .malformed, name: "bad_address", message: "this is no address, or one character of it is wrong")
    }
}
