internal import Curves
internal import Encoding

/// Typed data to be signed (EIP-712, as `eth_signTypedData_v4` takes it), read from the document that is signed.
///
/// Everything that is signed is in this value, and everything in this value is signed: a value with an unknown member,
/// or without a required one, is refused. Types that the message does not use are read and ignored, as in other
/// wallets.
///
/// ```swift
/// let data = try TypedData(decoding: file)
/// guard data.domain.chainID == UInt256(chain.value) else { … }
/// ```
public struct TypedData: Hashable, Sendable {
    /// The domain that the data are signed for.
    public let domain: Domain
    /// The message. Its name is the primary type.
    public let message: Structure
    /// The primary type and all types that it uses, in the form that is hashed: `Mail(Person from,…)Person(…)`.
    public let encodedType: String

    /// The hash that is signed, 32 bytes.
    public var hash: [UInt8] { Keccak256.hash([0x19, 0x01] + domain.separator + message.hash) }

    /// Decodes the JSON document.
    ///
    /// - Parameter bytes: JSON, an object of `types`, `primaryType`, `domain` and `message` and nothing else.
    /// - Throws: ``EthereumError/badTypedData(_:at:)``.
    public init(decoding bytes: some Collection<UInt8>) throws(EthereumError) {
        let json: JSON
        do {
            json = try JSON(decoding: bytes, limit: EthereumLimits.typedDataBytes)
        } catch {
            throw .badTypedData(.malformed(error))
        }
        guard let object = json.object, object.members.count == 4, let primaryType = json["primaryType"]?.string,
            let domain = json["domain"], let message = json["message"]
        else { throw .badTypedData(.shape) }
        let graph = try Self.reading("types") { () throws(EthereumError) in
            let graph = try TypeGraph(json["types"])
            try Self.reading(Domain.typeName) { () throws(EthereumError) in
                try Domain.check(try graph.members(of: Domain.typeName))
            }
            return graph
        }
        // Only the domain would be signed, and its effect is unknown.
        guard primaryType != Domain.typeName else { throw .badTypedData(.domainAsMessage, at: "primaryType") }
        try Self.reading("primaryType") { () throws(EthereumError) in _ = try graph.members(of: primaryType) }
        let reader = TypedDataReader(graph: graph)
        self.domain = try Self.reading("domain") { () throws(EthereumError) in
            Domain(try reader.structure(Domain.typeName, domain))
        }
        self.message = try Self.reading("message") { () throws(EthereumError) in
            try reader.structure(primaryType, message)
        }
        encodedType = graph.encodedType(primaryType)
    }

    /// Reads a part of a document, whose name precedes the place of an error.
    static func reading<Value>(
        _ part: @autoclosure () -> String, _ read: () throws(EthereumError) -> Value
    ) throws(EthereumError) -> Value {
        do { return try read() } catch { throw error.inPart(part()) }
    }
}
