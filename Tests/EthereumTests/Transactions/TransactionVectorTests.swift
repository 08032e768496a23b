internal import Amounts
internal import Ethereum
import TestSupport
import Testing

@Suite("Ethereum transactions: ethereum/tests", .withVectors)
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
        for path in try Vectors.files(in: "ethereum-tests/TransactionTests", ending: ".json") {
            for (name, test) in try Vectors.json(path).object {
                let bytes = try test["txbytes"].bytes
                let fork = try #require(["Cancun", "Shanghai", "London"].first { !test["result"][$0].isNull })
                let result = test["result"][fork]
                let signed = try? SignedEthereumTransaction(decoding: bytes)
                if result["exception"].isNull {
                    let signed = try #require(signed, "\(name)")
                    #expect(try signed.sender.bytes == result["sender"].bytes, "\(name)")
                    #expect(try signed.hash == result["hash"].bytes, "\(name)")
                    #expect(isAccepted(signed) && signed.encoded == bytes, "\(name)")
                    #expect(
                        try UInt256(hexadecimal: result["intrinsicGas"].string)
                            == UInt256(signed.transaction.intrinsicGas), "\(name)")
                    accepted += 1
                } else {
                    #expect(signed.map(isAccepted) != true, "\(name)")
                    refused += 1
                }
            }
        }
        #expect(accepted > 20 && refused > 100)
    }
}
