internal import Wallet

/// Reads an address. What is wrong with its text is wrong with an address: the reader of Base58 does not know what it reads.
func attemptAddress<Value>(_ read: () throws(WalletError) -> Value) throws(Failure) -> Value {
    do throws(WalletError) { return try read() } catch .wrongNetwork {
        throw Failure(code: .badInput, name: "bad_address", message: "this is an address of another network")
    } catch {
        throw Failure(
            code: .badInput, name: "bad_address", message: "this is no address, or one character of it is wrong")
    }
}
