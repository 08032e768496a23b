internal import Amounts
import Curves
import Encoding
import EthereumTestSupport
import TestSupport
import Testing

@testable import Ethereum

@Suite("Typed data")
struct TypedDataTests {
    @Test("the example of EIP-712 has its hashes, and its contents")
    func mail() throws {
        let data = try KnownTypedData.read(KnownTypedData.mail)
        #expect(data.encodedType == "Mail(Person from,Person to,string contents)Person(string name,address wallet)")
        #expect(hex(data.domain.separator) == "f2cee375fa42b42143804025fc449deafd50cc031ca257e0b194a650a912090f")
        #expect(hex(data.message.hash) == "c52c0ee5d84264471806290a3f2c4cecfc5490626bf912d01f240d7a274b371e")
        #expect(hex(data.hash) == "be609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2")
        #expect(data.domain.chainID == 1 && data.domain.name == "Ether Mail" && data.domain.version == "1")
        #expect(data.domain.verifyingContract?.bytes == [UInt8](repeating: 0xcc, count: 20) && data.domain.salt == nil)
        #expect(data.message.name == "Mail" && data.message.members.map(\.type) == ["Person", "Person", "string"])
        #expect(data.message["from"]?.structure?["name"] == .string("Cow") && data.message["x"] == nil)
        // The order of members in the document, and white space, do not change the hash.
        let spaced = KnownTypedData.mail.replacing(#""name":"Cow","#, with: " ").replacing(
            #"DD826""#, with: #"DD826" , "name" : "Cow""#)
        #expect(try KnownTypedData.read(spaced).hash == data.hash)
    }

    @Test(
        "a document with one thing wrong is refused",
        arguments: [
            (#""primaryType":"Mail""#, #""primaryType":"Mail","x":1"#, TypedData.Fault.shape),
            (#""primaryType":"Mail","#, "", .shape), (#""primaryType":"Mail""#, #""primaryType":1"#, .shape),
            (#""primaryType":"Mail""#, #""primaryType":"EIP712Domain""#, .domainAsMessage),
            (#""primaryType":"Mail""#, #""primaryType":"Other""#, .unknownType),
            (
                #""primaryType":"Mail""#, #""primaryType":"Mail","primaryType":"Mail""#,
                .malformed(.duplicate(offset: 383))
            ),
            (#""types":{"#, #""types":[{"#, .malformed(.badCharacter(offset: 376))),
            (#""EIP712Domain":"#, #""Domain":"#, .unknownType),
            (#""Person":["#, #""uint256":["#, .name), (#""Person":["#, #""uint7":["#, .name),
            (#""Person":["#, #""bytes33":["#, .name), (#""Person":["#, #""1Person":["#, .name),
            (#""Person":["#, #""Per son":["#, .name), (#""Person":["#, #""Person(":["#, .name),
            (#""Person":["#, #""Persön":["#, .name), (#""Person":["#, #""Other":["#, .unknownType),
            (#"{"name":"wallet","type":"address"}"#, #"{"name":"name","type":"address"}"#, .duplicateMember),
            (#"{"name":"wallet","type":"address"}"#, #"{"name":"wal let","type":"address"}"#, .name),
            (#"{"name":"wallet","type":"address"}"#, #"{"name":"wallet"}"#, .shape),
            (#"{"name":"wallet","type":"address"}"#, #"{"name":"wallet","type":"address","x":1}"#, .shape),
            (#"{"name":"wallet","type":"address"}"#, #"{"name":"wallet","type":"address[0]"}"#, .name),
            (#"{"name":"wallet","type":"address"}"#, #"{"name":"wallet","type":"address[01]"}"#, .name),
            (#"{"name":"wallet","type":"address"}"#, #"{"name":"wallet","type":"address]"}"#, .name),
            (#"{"name":"wallet","type":"address"}"#, #"{"name":"wallet","type":"uint"}"#, .name),
            (#"{"name":"wallet","type":"address"}"#, #"{"name":"wallet","type":""}"#, .name),
            (#"{"name":"wallet","type":"address"}"#, #"{"name":"wallet","type":"Animal"}"#, .unknownType),
            (#"{"name":"version","type":"string"}"#, #"{"name":"version","type":"uint256"}"#, .domain),
            (#"{"name":"version","type":"string"}"#, #"{"name":"origin","type":"string"}"#, .domain),
            (#""version":"1","#, "", .missingMember),
            (#""version":"1","#, #""version":"1","salt":"0x","#, .unknownMember),
            (#","contents":"Hello, Bob!""#, "", .missingMember),
            (#""contents":"Hello, Bob!""#, #""contents":"Hello, Bob!","more":1"#, .unknownMember),
            (#""contents":"Hello, Bob!""#, #""contents":null"#, .wrongKind),
            (#""contents":"Hello, Bob!""#, #""contents":1"#, .wrongKind),
            (#""to":{"name":"Bob","wallet":"0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB"}"#, #""to":null"#, .wrongKind),
            (#""chainId":1"#, #""chainId":1.0"#, .outOfRange), (#""chainId":1"#, #""chainId":1e0"#, .outOfRange),
            (#""chainId":1"#, #""chainId":-1"#, .outOfRange), (#""chainId":1"#, #""chainId":"""#, .outOfRange),
            (#""chainId":1"#, #""chainId":"0x""#, .outOfRange), (#""chainId":1"#, #""chainId":true"#, .wrongKind),
        ])
    func refused(_ part: String, _ replacement: String, _ fault: TypedData.Fault) {
        let text = KnownTypedData.mail.replacing(part, with: replacement, maxReplacements: 1)
        #expect(text != KnownTypedData.mail)
        #expect(Self.error(in: text)?.fault == fault)
    }

    /// Returns the error of a document, and its place; nil if the document is read.
    private static func error(in text: String) -> (fault: TypedData.Fault, place: String)? {
        do throws(EthereumError) { _ = try KnownTypedData.read(text) } catch {
            if case .badTypedData(let fault, let place) = error { return (fault, place) }
        }
        return nil
    }

    @Test(
        "an error names the place in the document, and no value of it",
        arguments: [
            (
                #""primaryType":"Mail""#, #""primaryType":"EIP712Domain""#, TypedData.Fault.domainAsMessage,
                "primaryType"
            ),
            (#""primaryType":"Mail""#, #""primaryType":"Other""#, .unknownType, "primaryType"),
            (#""primaryType":"Mail""#, #""primaryType":1"#, .shape, ""),
            (#""EIP712Domain":"#, #""Domain":"#, .unknownType, "types.EIP712Domain"),
            (#""Person":["#, #""Persön":["#, .name, "types"),
            (#""Person":["#, #""Person":[1,"#, .shape, "types.Person[0]"),
            (#"{"name":"wallet","type":"address"}"#, #"{"name":"wal let","type":"address"}"#, .name, "types.Person[1]"),
            (
                #"{"name":"wallet","type":"address"}"#, #"{"name":"wallet","type":"Animal"}"#, .unknownType,
                "types.Person.wallet"
            ),
            (#"{"name":"wallet","type":"address"}"#, #"{"name":"wallet","type":"uint"}"#, .name, "types.Person.wallet"),
            (
                #"{"name":"version","type":"string"}"#, #"{"name":"origin","type":"string"}"#, .domain,
                "types.EIP712Domain.origin"
            ),
            (#""version":"1","#, "", .missingMember, "domain.version"),
            (#""chainId":1"#, #""chainId":-1"#, .outOfRange, "domain.chainId"),
            (#""contents":"Hello, Bob!""#, #""contents":1"#, .wrongKind, "message.contents"),
            (#""contents":"Hello, Bob!""#, #""contents":"Hello, Bob!","more":1"#, .unknownMember, "message.more"),
            (#""contents":"Hello, Bob!""#, #""contents":"Hello, Bob!","\u202e":1"#, .unknownMember, "message"),
            (#""name":"Bob","#, "", .missingMember, "message.to.name"),
            ("0xCD2a", "0xcD2a", .badAddressChecksum, "message.from.wallet"),
            ("0xCD2a", "0x", .badAddress, "message.from.wallet"),
        ])
    func place(_ part: String, _ replacement: String, _ fault: TypedData.Fault, _ place: String) {
        let text = KnownTypedData.mail.replacing(part, with: replacement, maxReplacements: 1)
        #expect(text != KnownTypedData.mail)
        #expect(throws: EthereumError.badTypedData(fault, at: place)) { try KnownTypedData.read(text) }
    }

    @Test("the place of an element is its position, at every depth")
    func elements() {
        let text = KnownTypedData.single("U", #"{"a":[{"a":[]},{"a":[{"a":[]},{"b":[]}]}]}"#)
        let error = Self.error(in: text)
        #expect(error?.fault == .missingMember)
        #expect(error?.place == "message.a.a[1].a[1].a")
    }

    @Test("the name of a structure may have colons, as that of Hyperliquid's withdrawals has")
    func colons() throws {
        let text = KnownTypedData.mail.replacing("Mail\"", with: "HyperliquidTransaction:Withdraw\"")
            .replacing("Ether HyperliquidTransaction:Withdraw", with: "Ether Mail")
        let data = try KnownTypedData.read(text)
        #expect(
            data.encodedType
                == "HyperliquidTransaction:Withdraw(Person from,Person to,string contents)Person(string name,address wallet)"
        )
        // The hash of the message as another implementation of Keccak computes it by the rules of EIP-712.
        #expect(hex(data.message.hash) == "778538e3d736d1f44d14a681d7602339cacaee6164b153ce054c29b56ff7082b")
        for wrong in [":Withdraw", "Transaction:", "a::b", "a:b c", ":"] {
            let text = KnownTypedData.mail.replacing("\"Person\"", with: "\"\(wrong)\"")
            #expect(Self.error(in: text)?.fault == .name, "\(wrong)")
        }
    }

    @Test("an empty domain is read, and binds to nothing")
    func emptyDomain() throws {
        let text = #"""
            {"types":{"EIP712Domain":[],"Note":[{"name":"text","type":"string"}]},"primaryType":"Note","domain":{},
             "message":{"text":"hello"}}
            """#
        let data = try KnownTypedData.read(text)
        #expect(data.domain.members.isEmpty && data.domain.chain == nil && data.domain.verifyingContract == nil)
        // The hash of `EIP712Domain()`, hashed as a structure without members.
        #expect(data.domain.separator == Keccak256.hash(Keccak256.hash(Array("EIP712Domain()".utf8))))
        let unsigned = text.replacing(#""domain":{}"#, with: #""domain":{"name":"x"}"#)
        #expect(throws: EthereumError.badTypedData(.unknownMember, at: "domain.name")) {
            try KnownTypedData.read(unsigned)
        }
    }

    @Test(
        "numbers are exact, in digits, text or hexadecimal, and within their type",
        arguments: [
            ("uint8", "255", true), ("uint8", "256", false), ("uint8", "-1", false), ("uint8", #""0xff""#, true),
            ("uint8", #""0x100""#, false), ("int8", "127", true), ("int8", "128", false), ("int8", "-128", true),
            ("int8", "-129", false), ("int8", #""-128""#, true), ("int8", #""0x80""#, false),
            ("int8", #""-0x1""#, false),
            ("uint256", "115792089237316195423570985008687907853269984665640564039457584007913129639935", true),
            ("uint256", "115792089237316195423570985008687907853269984665640564039457584007913129639936", false),
            ("int256", "-57896044618658097711785492504343953926634992332820282019728792003956564819968", true),
            ("int256", "57896044618658097711785492504343953926634992332820282019728792003956564819968", false),
            ("uint64", #""1 ""#, false), ("uint64", #""+1""#, false), ("uint64", "[]", false),
            ("bytes3", #""0x010203""#, true), ("bytes3", #""0x0102""#, false), ("bytes3", #""0x01020304""#, false),
            ("bytes3", #""010203""#, false), ("bytes3", "1", false), ("bytes", #""0x0""#, false),
            ("bytes", #""0xzz""#, false),
            ("bool", "1", false), ("bool", #""true""#, false), ("uint8[2]", "[1]", false), ("uint8[2]", "[1,2]", true),
            ("uint8[]", "1", false), ("U", #"{"a":[{"a":[]}]}"#, true), ("U", #"{"a":[{}]}"#, false),
            ("string[][3]", #"[["a"],[],["b","c"]]"#, true),
        ])
    func values(_ type: String, _ value: String, _ isFine: Bool) {
        let text = KnownTypedData.single(type, value)
        if isFine {
            #expect(throws: Never.self) { try KnownTypedData.read(text) }
        } else {
            #expect(throws: EthereumError.self) { try KnownTypedData.read(text) }
        }
    }

    @Test("more types, members, bytes or levels than the limits are refused")
    func limits() {
        func refuses(_ text: String, _ fault: TypedData.Fault) {
            #expect(Self.error(in: text)?.fault == fault)
        }
        let types = (0..<64).map { "\"T\($0)\":[]," }.joined()
        refuses(KnownTypedData.mail.replacing(#""Person":["#, with: types + #""Person":["#), .tooMany)
        let members = (0..<64).map { "{\"name\":\"m\($0)\",\"type\":\"bool\"}," }.joined()
        refuses(KnownTypedData.mail.replacing(#""Person":["#, with: #""Person":["# + members), .tooMany)
        refuses(KnownTypedData.single("bool" + String(repeating: "[]", count: 63), "[]"), .tooMany)
        let limit = EthereumLimits.typedDataBytes
        refuses(
            KnownTypedData.single("string", "\"\(String(repeating: "a", count: limit))\""),
            .malformed(.tooLong(limit: limit)))
        let deep = String(repeating: #"{"a":["#, count: 40) + String(repeating: "]}", count: 40)
        refuses(KnownTypedData.single("U", deep), .malformed(.tooDeep(limit: EncodingLimits.jsonDepth)))
    }

    @Test("mutated documents are refused, or hashed the same way twice")
    func fuzz() {
        var accepted = 0
        Fuzz.mutations(of: KnownTypedData.seeds.map { Array($0.utf8) }, iterations: 6_000) { bytes in
            guard let data = try? TypedData(decoding: bytes) else { return }
            accepted += 1
            guard try TypedData(decoding: bytes).hash == data.hash else { throw EthereumError.badTypedData(.shape) }
            _ = data.permission
        }
        #expect(accepted > 20)
    }
}

@Suite("Ethereum signed messages")
struct PersonalMessageTests {
    @Test("a message is signed as by eth-account, and its signer is recovered")
    func known() throws {
        let message = try PersonalMessage("Hello, Fueki")
        #expect(hex(message.hash) == "9ff41db935feb9dce5fe6e35e929adb091e4f01fef6a7c54a894f69cd1aee5da")
        let signature = try EthereumSignature.sign(
            hash: message.hash, key: KnownEthereum.key(), signer: KnownEthereum.sender())
        #expect(
            hex(signature.encoded)
                == "d3e819552cf2f03f6fe6e385b90760d54f082c04f68d4cb0e3407c0479145fa978b66e7f9c6d3860e7d5a712db7c1bb1e277488b76c461fe53e5ef0d30b7d4561b"
        )
        #expect(try EthereumSignature(decoding: signature.encoded) == signature)
        #expect(message.isSigned(by: try KnownEthereum.sender(), signature))
        #expect(!message.isSigned(by: .zero, signature))
        #expect(try !PersonalMessage("Hello, Fueki!").isSigned(by: KnownEthereum.sender(), signature))
        #expect(try message.text == "Hello, Fueki" && PersonalMessage(bytes: [0xff]).text == nil)
    }

    @Test("a signature of another size, with another last byte, or with a high s is refused")
    func refused() throws {
        let hash = try PersonalMessage("a").hash
        let signature = try EthereumSignature.sign(hash: hash, key: KnownEthereum.key(), signer: KnownEthereum.sender())
        let bytes = signature.encoded
        for last in [UInt8(0), 1, 26, 29] {
            #expect(throws: EthereumError.badSignature) {
                try EthereumSignature(decoding: bytes.dropLast() + [last])
            }
        }
        #expect(throws: EthereumError.badSignature) { try EthereumSignature(decoding: bytes.dropLast()) }
        #expect(throws: EthereumError.badSignature) { try EthereumSignature(decoding: bytes + [27]) }
        let high = (-signature.signature.s).encoded
        #expect(throws: EthereumError.badSignature) {
            try EthereumSignature(decoding: bytes.prefix(32) + high + bytes.suffix(1))
        }
        #expect(throws: EthereumError.malformed(.tooLong(limit: EthereumLimits.messageBytes))) {
            try PersonalMessage(bytes: [UInt8](repeating: 0, count: EthereumLimits.messageBytes + 1))
        }
        #expect(throws: EthereumError.badKey) {
            try EthereumSignature.sign(hash: [1], key: KnownEthereum.key(), signer: KnownEthereum.sender())
        }
        Fuzz.roundTrips(
            of: [bytes], iterations: 2_000, decode: { try EthereumSignature(decoding: $0) }, encode: { $0.encoded })
    }
}
