internal import Amounts
import Curves
internal import Ethereum
import Secrets
import TestSupport

/// A public private key, and transactions that eth-account 0.14.0 signed with it. Both sign by RFC 6979, so that the
/// bytes are the same.
enum KnownEthereum {
    static func key() throws -> SecretScalar<Secp256k1> {
        SecretScalar(try Scalar(canonical: [UInt8](repeating: 0x46, count: 32)))
    }
    static let address = "0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F"

    static func sender() throws -> EthereumAddress { try EthereumAddress(address) }

    static func account(_ byte: UInt8) throws -> EthereumAddress {
        try EthereumAddress(bytes: [UInt8](repeating: byte, count: 20))
    }

    static func list() throws -> [AccessListEntry] {
        let keys = [UInt8(0), 1].map { [UInt8](repeating: $0, count: 32) }
        return [try AccessListEntry(address: try account(0xaa), storageKeys: keys)]
    }

    static func fees() throws -> EthereumTransaction.Fees {
        .init(maxPriorityFeePerGas: try Wei("1gwei"), maxFeePerGas: try Wei("30gwei"))
    }

    static func transfer(chain: UInt64?) throws -> EthereumTransaction {
        try EthereumTransaction(
            chainID: try chain.map { value throws(EthereumError) in try ChainID(value) }, nonce: 9, gasLimit: 21_000,
            to: try account(0x35), value: try Wei("1eth"), data: [], kind: .legacy(gasPrice: try Wei("20gwei")))
    }

    static func transaction(
        _ kind: EthereumTransaction.Kind, nonce: UInt64 = 1, chain: UInt64? = 1, to: UInt8? = 0x35,
        value: Wei = .zero, data: [UInt8] = []
    ) throws -> EthereumTransaction {
        try EthereumTransaction(
            chainID: try chain.map { value throws(EthereumError) in try ChainID(value) }, nonce: nonce,
            gasLimit: 100_000, to: try to.map { byte throws in try account(byte) }, value: value, data: data, kind: kind
        )
    }

    static func authorization() throws -> Authorization {
        Authorization(
            chainID: 1, delegate: try account(0xbb), nonce: 7, yParity: 0,
            r: try UInt256(hexadecimal: "0x185e26809731ac21e82aae9d24fa5843a1b978c994f122983675a3c490e5e3ed"),
            s: try UInt256(hexadecimal: "0x55d9ff855fe009faff83ed74611a69b32fcb3bb78e5c60c0e84938dfa7b1e7f0"))
    }

    /// One of each type: the transaction, eth-account's encoding of it, and its hash.
    static func all() throws -> [(EthereumTransaction, signed: [UInt8], hash: [UInt8])] {
        let blobHash = [UInt8(1)] + [UInt8](repeating: 0x22, count: 31)
        let transactions = [
            try transfer(chain: 1), try transfer(chain: nil),
            try transaction(.accessList(gasPrice: try Wei("20gwei"), try list()), nonce: 0, data: [1]),
            try transaction(
                .dynamicFee(try fees(), try list()), nonce: 1 << 32, chain: 11_155_111, value: try Wei("0.1eth"),
                data: hex("a9059cbb")),
            try transaction(.dynamicFee(try fees(), []), nonce: 0, to: nil, data: hex("6000")),
            try transaction(.blob(try fees(), [], maxFeePerBlobGas: try Wei("1gwei"), blobHashes: [blobHash])),
            try transaction(.setCode(try fees(), [], [try authorization()])),
        ]
        return zip(transactions, signed).map { ($0, hex($1.0), hex($1.1)) }
    }

    private static let signed = [
        (
            "f86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83",
            "33469b22e9f636356c4160a87eb19df52b7412e8eac32a4a55ffe88ea8350788"
        ),
        (
            "f86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a7640000801ba08383adc8b8ae116f918fb44ca7ff9dfd8012596a5c130c6246a2cc717ba41cdaa053ddfacf5bd4aa7e46d1575acf52636ea659b91f29e2fb91c75567a279738f38",
            "9eb247ec381302e0ac0c3c8d8d14969bb49d31ae3d266274d3112e1a86585d94"
        ),
        (
            "01f8c301808504a817c800830186a09435353535353535353535353535353535353535358001f85bf85994aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaf842a00000000000000000000000000000000000000000000000000000000000000000a0010101010101010101010101010101010101010101010101010101010101010101a07828b90008bb862f5ea8465208e081b4fa6d5be8e564d1733ae9be3a47957beda02682a115ba763f2f4149015f524b67a239d60065098231f689f5f218a4f078cf",
            "211195d06f2e5b7b221a9405c46c5337ac6194e659635b2932cdf05b8b53426b"
        ),
        (
            "02f8dc83aa36a7850100000000843b9aca008506fc23ac00830186a094353535353535353535353535353535353535353588016345785d8a000084a9059cbbf85bf85994aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaf842a00000000000000000000000000000000000000000000000000000000000000000a0010101010101010101010101010101010101010101010101010101010101010180a0503c80758bbda4bbb1944ca3beb0530b82a6a754eb69d68c71e70caeb7b3da37a065463bd5d6b20cafd792461a9c2c203063143cf92f1806b4f01686c70cda4657",
            "3e91d4f02450183ea2aa004c77d3baace4629fef6eb5f59ce867e95d95b20c86"
        ),
        (
            "02f85a0180843b9aca008506fc23ac00830186a08080826000c001a0b657f3286f882a2bea709c59108936fda8bfd42f3c730a2d116a1c97c23464dba01486d5371cd4d7b3bf00776cf940608dcf18470d27ca3c5bb0a1da9ce69874e4",
            "c2f02f41c2746aafe11c6f87e192523b290b2ccfffcb98b21c92ca2204d39c94"
        ),
        (
            "03f8930101843b9aca008506fc23ac00830186a09435353535353535353535353535353535353535358080c0843b9aca00e1a0012222222222222222222222222222222222222222222222222222222222222201a0a4f23fbd74af38d4e4802b5fbbb9ec8db083d1999b97137091f186b80170d938a0082e1b177e89b00352f975315603f6e3b740c600b0844f2de4d8c888e1051751",
            "0c5d99c7bbe2d491da4cd9f9d6a9df33a6a2270855fbae426a25b19acd6b2660"
        ),
        (
            "04f8ca0101843b9aca008506fc23ac00830186a09435353535353535353535353535353535353535358080c0f85cf85a0194bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb0780a0185e26809731ac21e82aae9d24fa5843a1b978c994f122983675a3c490e5e3eda055d9ff855fe009faff83ed74611a69b32fcb3bb78e5c60c0e84938dfa7b1e7f080a05b2f3c6e69823bb29a5e9f8062e10c38035651ccce4df6c18dc66fd37c216c19a0172a47ead213f74c79d7c5658edcf640f327fdbf127b1902cb59aeedb69b1a68",
            "0740647bde2198cc1fc1a0fcecc377020712696ef2e751aef7c4047f7ef29b41"
        ),
    ]
}
