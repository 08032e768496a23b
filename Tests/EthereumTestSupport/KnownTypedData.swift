package import Ethereum

/// The example of EIP-712 and its variants. A test replaces one piece of the text.
package enum KnownTypedData {
    package static let mail = """
        {"types":{"EIP712Domain":[{"name":"name","type":"string"},{"name":"version","type":"string"},\
        {"name":"chainId","type":"uint256"},{"name":"verifyingContract","type":"address"}],\
        "Person":[{"name":"name","type":"string"},{"name":"wallet","type":"address"}],\
        "Mail":[{"name":"from","type":"Person"},{"name":"to","type":"Person"},{"name":"contents","type":"string"}]},\
        "primaryType":"Mail","domain":{"name":"Ether Mail","version":"1","chainId":1,\
        "verifyingContract":"0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC"},\
        "message":{"from":{"name":"Cow","wallet":"0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826"},\
        "to":{"name":"Bob","wallet":"0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB"},"contents":"Hello, Bob!"}}
        """

    package static func read(_ text: String) throws(EthereumError) -> TypedData {
        try TypedData(decoding: Array(text.utf8))
    }

    /// A document of one structure with one member.
    package static func single(_ type: String, _ value: String) -> String {
        """
        {"types":{"EIP712Domain":[{"name":"name","type":"string"}],"T":[{"name":"a","type":"\(type)"}],\
        "U":[{"name":"a","type":"U[]"}]},"primaryType":"T","domain":{"name":"d"},"message":{"a":\(value)}}
        """
    }

    package static let seeds = [
        mail, single("uint8", "255"), single("int16[2][]", #"[[-1,"-32768"],["0x7fff",0]]"#),
        single("U", #"{"a":[{"a":[]}]}"#),
        single("bytes3", #""0x010203""#), single("bytes", #""0x""#), single("bool", "true"),
    ]

    /// One member of each kind, in the domain too.
    package static let everything = """
        {"types": {
          "EIP712Domain": [{"name": "name", "type": "string"}, {"name": "version", "type": "string"},
            {"name": "chainId", "type": "uint256"}, {"name": "verifyingContract", "type": "address"},
            {"name": "salt", "type": "bytes32"}],
          "Order": [{"name": "price", "type": "uint256"}, {"name": "change", "type": "int64"}, {"name": "open", "type": "bool"},
            {"name": "maker", "type": "address"}, {"name": "key", "type": "bytes4"}, {"name": "blob", "type": "bytes"},
            {"name": "terms", "type": "string"}, {"name": "items", "type": "Item[2]"}, {"name": "table", "type": "uint8[][]"},
            {"name": "none", "type": "string[]"}],
          "Item": [{"name": "token", "type": "address"}, {"name": "label", "type": "string"}]},
         "primaryType": "Order",
         "domain": {"name": "A market", "version": "v7", "chainId": 31337,
           "verifyingContract": "0x\(String(repeating: "a1", count: 20))", "salt": "0x\(String(repeating: "5a", count: 32))"},
         "message": {"price": "123456789", "change": -77, "open": true, "maker": "0x\(String(repeating: "b2", count: 20))",
           "key": "0xc3c3c3c3", "blob": "0xd4d4d4d4d4d4", "terms": "all of it",
           "items": [{"token": "0x\(String(repeating: "e5", count: 20))", "label": "first"},
             {"token": "0x\(String(repeating: "f6", count: 20))", "label": "second"}],
           "table": [[201, 202], [], [203]], "none": []}}
        """
}
