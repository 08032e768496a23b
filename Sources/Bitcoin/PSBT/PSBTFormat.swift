internal import Encoding

/// The three forms in which PSBTs are exchanged. A file's first byte distinguishes them.
public enum PSBTFormat: CaseIterable, Hashable, Sendable {
    /// The bytes themselves.
    case binary
    /// The text form that BIP-174 defines.
    case base64
    /// Two hexadecimal digits for each byte.
    case hexadecimal

    /// Detects the form of a file that can be a PSBT. Only its beginning is examined.
    public init?(of file: [UInt8]) {
        if file.starts(with: PSBT.magic) {
            self = .binary
            return
        }
        // Base64 of the magic bytes starts with `c`; `p` is 70 in hexadecimal.
        switch file.first(where: { !Self.isSpace($0) }) {
        case UInt8(ascii: "c"): self = .base64
        case UInt8(ascii: "7"): self = .hexadecimal
        default: return nil
        }
    }

    fileprivate static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
}

extension PSBT {
    /// Reads a file in any of the three forms. Text may have spaces and line breaks anywhere, as `base64` writes them.
    ///
    /// - Throws: the errors of ``init(decoding:)``.
    public init(_ file: [UInt8]) throws(BitcoinError) {
        let format = PSBTFormat(of: file)
        guard format != .binary else {
            try self.init(decoding: file)
            return
        }
        // Base64 takes four bytes for three, hexadecimal two for one, and lines are rarely shorter than 64: longer text
        // is never read.
        guard file.count <= 2 * BitcoinLimits.psbtBytes + BitcoinLimits.psbtBytes / 16 else {
            throw .malformed(.tooLong(limit: BitcoinLimits.psbtBytes))
        }
        let text = String(decoding: file.lazy.filter { !PSBTFormat.isSpace($0) }, as: UTF8.self)
        let bytes: [UInt8]
        do throws(EncodingError) {
            switch format {
            case .base64: bytes = try Base64.decode(text)
            case .hexadecimal: bytes = try Hex.decode(text)
            case .binary, nil: throw EncodingError.unsupported
            }
        } catch {
            throw .malformed(error)
        }
        try self.init(decoding: bytes)
    }

    /// Reads Base64 or hexadecimal text.
    ///
    /// - Throws: the errors of ``init(decoding:)``.
    public init(text: String) throws(BitcoinError) { try self.init(Array(text.utf8)) }

    /// The Base64 form, without line breaks.
    public var base64: String { Base64.encode(encoded) }

    /// Returns the bytes of a file. Text ends with a line break.
    public func file(as format: PSBTFormat) -> [UInt8] {
        switch format {
        case .binary: encoded
        case .base64: Array((base64 + "\n").utf8)
        case .hexadecimal: Array((Hex.encode(encoded) + "\n").utf8)
        }
    }
}
