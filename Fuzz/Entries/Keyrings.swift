internal import Encoding
internal import Secrets
internal import SecureStorage

@testable internal import Keyrings

extension FuzzEntry {
    /// The items of the Secret Service and of the kernel's keyring.
    static let keyrings: [FuzzEntry] = [
        FuzzEntry("keyring-envelope", seeds: try SeedEnvelope.all()) { input in
            try input.withUnsafeBytes { exposed(try ItemEnvelope(decoding: $0, upTo: 1 << 16).encoded) }
        },
        // An envelope without its checksum, which is corrected, so that the rest is read.
        FuzzEntry("keyring-envelope-body", seeds: try SeedEnvelope.all().map { $0.dropLast(Checksum.size) }) { input in
            let bytes = input + input.withUnsafeBytes { Checksum.bytes(of: $0) }
            let encoded = try bytes.withUnsafeBytes {
                exposed(try ItemEnvelope(decoding: $0, upTo: 1 << 16).encoded)
            }
            precondition(encoded == bytes, "written differently")
            return input
        },
        FuzzEntry("keyring-text", texts: try SeedEnvelope.all().map { Base64.encode($0) }) { text in
            let decoded: [UInt8]? = Array(text.utf8).withUnsafeBytes { characters in
                guard let bytes = GuardedBase64.decode(characters) else { return nil }
                return exposed(bytes)
            }
            // The ordinary decoder agrees, except that it takes the empty text as no bytes.
            precondition(decoded == (try? Base64.decode(text)) || text.isEmpty, "decoded differently")
            return decoded.map { Base64.encode($0) }
        },
        FuzzEntry("keyring-description", texts: ["fueki:4:test:account", "fueki:3:a:b:c"]) { text in
            let description = KeyDescription(prefix: "fueki")
            return description.name(in: Substring(text)).map { description.text(of: $0) }
        },
    ]
}

private enum SeedEnvelope {
    static func all() throws -> [[UInt8]] {
        let short = try ItemName(service: "s", account: "a")
        let long = try ItemName(
            service: String(repeating: "s", count: 255), account: String(repeating: "a", count: 255))
        return [
            exposed(ItemEnvelope(secret([7]), as: short, attributes: .critical(.seed)).encoded),
            exposed(ItemEnvelope(secret([UInt8](0..<64)), as: short, attributes: .sensitive(.other)).encoded),
            exposed(ItemEnvelope(secret([1, 2, 3]), as: long, attributes: .sensitive(.credential)).encoded),
        ]
    }
}
