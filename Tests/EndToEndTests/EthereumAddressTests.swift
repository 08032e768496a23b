import TestSupport
import Testing

@Suite(
    "The accounts of a wallet on Ethereum",
    .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct EthereumAddressTests {
    private struct Account: Decodable {
        let address: String
        let path: String
    }

    @Test("the addresses match those of embit and eth-keys for the ECDSA key, before and after a renewal")
    func addresses() throws {
        let wallet = try TestWallet()
        let numbers = ["0", "1", "7", "2147483647"]
        func accounts() throws -> [Account] {
            try numbers.map { try wallet.fueki.json(["address", wallet.name, "--type", "ethereum", "--account", $0]) }
        }
        let found = try accounts()
        #expect(found.map(\.path) == numbers.map { "m/60/\($0)" })
        #expect(
            try found.map(\.address)
                == EthAccount.addresses(ofGroupKey: wallet.description.ecdsa_public_key, at: found.map(\.path)))
        let renewed = try wallet.fueki.run(
            "wallet", "refresh", wallet.name, "--passphrase-file", "passphrase")
        #expect(renewed.isSuccess, "\(renewed.errors)")
        #expect(try accounts().map(\.address) == found.map(\.address))
    }
}
