internal import Amounts
internal import Ethereum
import TestSupport
import Testing

@Suite("Ethereum transactions: ethereum/tests")
struct TransactionVectorTests {
    /// The checks of Ethereum nodes beside the form.
    private func isAccepted(_ signed: SignedEthereumTransaction) -> Bool {
        let transaction = signed.transaction
        return (transaction.chainID.map { $0 == .ethereum } ?? true)
            && transaction.gasLimit >= transaction.intrinsicGas
            && (transaction.to != nil || transaction.data.count <= EthereumTransaction.maximumInitCode)
    }

    @Test("transactions valid by the newest rules are read with sender and hash, and all others are refused")
    func all() throws {
        var (accepted, refused) = (0, 0)
        for test in try Vectors.json("ethereum/transactions").array(of: 210) {
            let (name, bytes) = (try test["name"].string, try test["bytes"].bytes)
            let signed = try? SignedEthereumTransaction(decoding: bytes)
            if test["error"].isNull {
                let signed = try #require(signed, "\(name)")
                #expect(try signed.sender.bytes == test["sender"].bytes, "\(name)")
                #expect(try signed.hash == test["hash"].bytes, "\(name)")
                #expect(isAccepted(signed) && signed.encoded == bytes, "\(name)")
                #expect(try UInt64(signed.transaction.intrinsicGas) == UInt64(test["gas"].integer), "\(name)")
                accepted += 1
            } else {
                #expect(signed.map(isAccepted) != true, "\(name)")
                refused += 1
            }
        }
        #expect(accepted == 50 && refused == 160)
    }
}
