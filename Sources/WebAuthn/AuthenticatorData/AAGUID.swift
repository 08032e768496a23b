public import Encoding

/// Which model of authenticator made a credential: 16 bytes, all zero if it does not say.
public struct AAGUID: Hashable, Sendable {
    /// 16 bytes.
    public let bytes: [UInt8]

    /// Nothing said about the model.
    public static let zero = AAGUID(unchecked: [UInt8](repeating: 0, count: 16))

    /// Nil, unless there are 16 bytes.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        self.bytes = Array(bytes)
    }

    /// Reads `8446ccb9-ab1d-b374-750b-2367ff6f3a1f`, as metadata have it, in either case.
    ///
    /// - Throws: `Encoding.EncodingError`.
    public init(_ text: String) throws(EncodingError) {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.map(\.count) == [8, 4, 4, 4, 12] else { throw .unsupported }
        bytes = try Hex.decode(String(decoding: parts.joined(), as: UTF8.self))
    }

    private init(unchecked bytes: [UInt8]) { self.bytes = bytes }

    /// Whether the authenticator says nothing about its model.
    public var isZero: Bool { self == .zero }
}

extension AAGUID: CustomStringConvertible {
    /// `8446ccb9-ab1d-b374-750b-2367ff6f3a1f`
    public var description: String {
        [bytes[..<4], bytes[4..<6], bytes[6..<8], bytes[8..<10], bytes[10...]].map { Hex.encode($0) }
            .joined(separator: "-")
    }
}
