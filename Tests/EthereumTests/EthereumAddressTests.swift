import Curves
import Encoding
internal import Ethereum
import TestSupport
import Testing

@Suite("Ethereum addresses")
struct EthereumAddressTests {
    @Test(
        "EIP-55's examples: read with the checksum, or without one in either case",
        arguments: [
            "0x52908400098527886E0F7030069857D2E4169EE7", "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
            "0xde709f2102306220921060314715629080e2fb77", "0x27b1fdb04752bbc536007a920d24acb045561c26",
            "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
            "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB", "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
        ])
    func examples(_ text: String) throws {
        let (address, checksum) = try EthereumAddress.read(text)
        #expect(address.description == text && checksum == .matches)
        let lower = text.lowercased()
        #expect(try EthereumAddress.read(lower).address == address)
        #expect(try EthereumAddress.read(lower).checksum == (lower == text ? .matches : .absent))
        let upper = "0x" + text.dropFirst(2).uppercased()
        #expect(try EthereumAddress.read(upper).address == address)
        #expect(try EthereumAddress.read(upper).checksum == (upper == text ? .matches : .absent))
    }

    @Test("a checksum that does not match is refused")
    func wrongCase() {
        for text in ["0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAee"] {
            #expect(throws: EthereumError.malformed(.badChecksum)) { try EthereumAddress(text) }
        }
    }

    @Test(
        "an invalid address is refused",
        arguments: [
            "", "0x", "5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0X5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
            "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAedd",
            "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeg", " 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
            "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAé",
        ])
    func refused(_ text: String) {
        #expect(throws: EthereumError.badAddress) { try EthereumAddress(text) }
    }

    @Test("an account is the hash of its key")
    func ofKey() throws {
        #expect(
            EthereumAddress(publicKey: Secp256k1.generator(times: try KnownEthereum.key())).description
                == KnownEthereum.address)
        // Of the key 1, as every key finder lists it.
        #expect(EthereumAddress(publicKey: .generator).description == "0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf")
        #expect(throws: EthereumError.badAddress) { try EthereumAddress(bytes: [UInt8](repeating: 0, count: 19)) }
    }

    @Test("a chain has a number from 1 up to the limit of its signatures, and perhaps a name")
    func chains() throws {
        #expect(try ChainID(1).description == "Ethereum (chain 1)" && ChainID(2).name == nil)
        #expect(try ChainID(11_155_111).isTest && !ChainID(1).isTest && ChainID(7).description == "chain 7")
        for value in [0, ChainID.maximum + 1, .max] {
            #expect(throws: EthereumError.badChainID) { try ChainID(value) }
        }
    }
}

@Suite("Addresses and RLP: ethereum/tests")
struct EthereumKeyVectorTests {
    @Test("keys have the listed addresses")
    func keys() throws {
        for test in try Vectors.json("ethereum/addresses").array(of: 2) {
            let key = SecretScalar<Secp256k1>(try Scalar(canonical: try test["key"].bytes))
            let address = EthereumAddress(publicKey: Secp256k1.generator(times: key))
            #expect(try address.bytes == test["address"].bytes)
        }
    }
}
