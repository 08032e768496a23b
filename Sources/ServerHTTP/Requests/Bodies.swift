internal import AuthAPI
package import Encoding
package import Hummingbird
internal import NIOCore

extension Request {
    /// Reads the body of a request, which has to be `application/json`.
    package func json(limit: Int = AuthLimits.bodyBytes) async throws -> JSON {
        try require(contentType: "application/json")
        let bytes = try await bytes(limit: limit)
        guard let json = try? JSON(decoding: bytes, limit: limit) else { throw Problem(.malformedRequest) }
        return json
    }

    /// Reads the body of a request, which has to be `application/x-www-form-urlencoded`, as OAuth's endpoints require.
    /// A repeated name is refused (RFC 6749 section 3.2).
    package func form() async throws -> [String: String] {
        try require(contentType: "application/x-www-form-urlencoded")
        let bytes = try await bytes(limit: AuthLimits.bodyBytes)
        var values: [String: String] = [:]
        for pair in bytes.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = parts.first.flatMap(Self.percentDecoded), values.count < 32,
                let value = parts.count == 2 ? Self.percentDecoded(parts[1]) : "", values[name] == nil
            else { throw Problem(.malformedRequest) }
            values[name] = value
        }
        return values
    }

    private func require(contentType: String) throws(Problem) {
        guard let value = headers[.contentType] else { throw Problem(.unsupportedMediaType) }
        if value == contentType { return }
        let type = value.lowercased().split(separator: ";", omittingEmptySubsequences: false).first?.filter {
            !$0.isWhitespace
        }
        guard type == contentType else { throw Problem(.unsupportedMediaType) }
    }

    /// Reads a body of any type.
    package func bytes(limit: Int) async throws -> [UInt8] {
        if let length = headers[.contentLength].flatMap(Int.init), length > limit { throw Problem(.tooLarge) }
        do {
            return Array(buffer: try await body.collect(upTo: limit))
        } catch is NIOTooManyBytesError {
            throw Problem(.tooLarge)
        }
    }

    private static func percentDecoded(_ text: ArraySlice<UInt8>) -> String? {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard rest.count >= 2, let value = try? Hex.decode(String(decoding: rest.prefix(2), as: UTF8.self))
                else { return nil }
                bytes += value
                rest = rest.dropFirst(2)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
