public import Encoding

/// The model of the authenticator that made a credential: 16 bytes, all zero if it is not given.
public struct AAGUID: Hashable, Sendable {
    /// The identifier's 16 bytes.
    public let bytes: [UInt8]

    /// The zero identifier: the model is not given.
    public static let zero = AAGUID(unchecked: [UInt8](repeating: 0, count: 16))

    /// Creates an identifier; nil unless there are 16 bytes.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        self.bytes = Array(bytes)
    }

    /// Reads the form of metadata, `8446ccb9-ab1d-b374-750b-2367ff6f3a1f`, in either case.
    ///
    /// - Throws: `Encoding.EncodingError`.
    public init(_ text: String) throws(EncodingError) {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.map(\.count) == [8, 4, 4, 4, 12] else { throw .unsupported }
        bytes = try Hex.decode(String(decoding: parts.joined(), as: UTF8.self))
    }

    private init(unchecked bytes: [UInt8]) { self.bytes = bytes }

    /// Whether the model is not given.
    public var isZero: Bool { self == .zero }
}

extension AAGUID: CustomStringConvertible {
    /// The identifier as text: `8446ccb9-ab1d-b374-750b-2367ff6f3a1f`
    public var description: String {
        [bytes[..<4], bytes[4..<6], bytes[6..<8], bytes[8..<10], bytes[10...]].map { Hex.encode($0) }
            .joined(separator: "-")
    }
}
