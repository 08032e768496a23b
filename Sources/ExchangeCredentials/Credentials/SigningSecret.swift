internal import Crypto
internal import Encoding
public import Secrets

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The secret half of an exchange's credential: it signs requests. It never leaves guarded memory in the clear, except
/// into the key objects of swift-crypto, which wipe their memory.
public struct SigningSecret: ~Copyable, Sendable {
    /// The methods of signing.
    public enum Method: UInt8, CaseIterable, Sendable {
        /// HMAC-SHA256 with a secret text (Binance; deprecated there).
        case binanceHMAC = 1
        /// Ed25519 (Binance).
        case binanceEd25519 = 2
        /// HMAC-SHA512 over a SHA-256 hash (Kraken's `API-Sign`).
        case kraken = 3

        /// The exchange of the method.
        public var venue: Venue {
            switch self {
            case .binanceHMAC, .binanceEd25519: .binance
            case .kraken: .kraken
            }
        }

        /// The sizes in bytes of the stored form.
        var size: Int {
            switch self {
            case .binanceHMAC: CredentialLimits.binanceSecretCharacters
            case .binanceEd25519: 32
            case .kraken: 64
            }
        }
    }

    /// The method of signing.
    public let method: Method
    /// The text of an HMAC secret of Binance, the seed of an Ed25519 key, or the bytes of Kraken's secret.
    let bytes: SecretBytes

    /// Takes over the stored form; nil if it does not have the method's size.
    init?(_ method: Method, stored bytes: consuming SecretBytes) {
        guard bytes.count == method.size else { return nil }
        self.method = method
        self.bytes = bytes
    }

    /// Reads a secret as the exchange shows it: of Binance, 64 letters and digits, or a key file with an Ed25519 key
    /// (PEM with PKCS#8); of Kraken, 88 characters of Base64.
    ///
    /// Line breaks at the end of the text are ignored, since files and terminals add them.
    ///
    /// - Throws: ``CredentialError/invalid(_:_:)``.
    public init(reading text: borrowing SecretBytes, of venue: Venue) throws(CredentialError) {
        guard text.count <= CredentialLimits.keyFileBytes else {
            throw .invalid(.secret, .tooLong(most: CredentialLimits.keyFileBytes))
        }
        let length = text.withUnsafeBytes { bytes in
            bytes.lastIndex { $0 != 0x0A && $0 != 0x0D }.map { $0 + 1 } ?? 0
        }
        let text = text.prefix(length)
        guard text.count > 0 else { throw .invalid(.secret, .empty) }
        switch venue {
        case .binance:
            if text.withUnsafeBytes({ $0.starts(with: "-----BEGIN ".utf8) }) {
                let seed: SecretBytes
                switch PrivateKeyFile.seed(in: text) {
                case .seed(let found): seed = found
                case .fault(let fault): throw .invalid(.secret, fault)
                }
                method = .binanceEd25519
                bytes = seed
            } else {
                try Self.check(text, InputCheck.isAlphanumeric, size: CredentialLimits.binanceSecretCharacters)
                method = .binanceHMAC
                bytes = text
            }
        case .kraken:
            try Self.check(text, InputCheck.isBase64, size: CredentialLimits.krakenSecretCharacters)
            guard let decoded = SecretBase64.decode(text, bytes: 64) else { throw .invalid(.secret, .notBase64) }
            method = .kraken
            bytes = decoded
        }
    }

    /// Checks the characters, then the size. The offset of a wrong character does not tell about the others.
    private static func check(
        _ text: borrowing SecretBytes, _ isAllowed: (Unicode.Scalar) -> Bool, size: Int
    ) throws(CredentialError) {
        let fault = text.withUnsafeBytes { bytes -> InputFault? in
            // An allowed character is one byte, so a text of other bytes is read as UTF-8 only for its first fault.
            guard !bytes.allSatisfy({ isAllowed(Unicode.Scalar($0)) && $0 < 0x80 }) else { return nil }
            var decoder = UTF8()
            var iterator = bytes.makeIterator()
            var offset = 0
            while case .scalarValue(let scalar) = decoder.decode(&iterator) {
                if let fault = InputCheck.fault(in: CollectionOfOne(scalar), allowing: isAllowed) {
                    return fault.moved(to: offset)
                }
                offset += 1
            }
            return .character(offset: offset)
        }
        if let fault { throw .invalid(.secret, fault) }
        if text.count < size { throw .invalid(.secret, .tooShort(least: size)) }
        if text.count > size { throw .invalid(.secret, .tooLong(most: size)) }
    }

    /// Returns Binance's signature of a payload: hexadecimal of HMAC-SHA256, or Base64 of Ed25519.
    ///
    /// - Precondition: the method is one of Binance's.
    package borrowing func binanceSignature(of payload: [UInt8]) -> String {
        let method = method
        return bytes.withUnsafeBytes { secret in
            switch method {
            case .binanceHMAC:
                return Hex.encode(
                    Array(HMAC<SHA256>.authenticationCode(for: payload, using: SymmetricKey(data: secret))))
            case .binanceEd25519:
                guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: secret),
                    let signature = try? key.signature(for: payload)
                else { preconditionFailure("every seed of 32 bytes is an Ed25519 key, and signs") }
                return Base64.encode(Array(signature))
            case .kraken: preconditionFailure("a secret of Kraken signs no request to Binance")
            }
        }
    }

    /// Returns Kraken's `API-Sign`: Base64 of HMAC-SHA512 over the path and the SHA-256 hash of the nonce and the body.
    ///
    /// - Precondition: the method is Kraken's.
    package borrowing func krakenSignature(path: String, nonce: UInt64, body: [UInt8]) -> String {
        precondition(method == .kraken, "a secret of Binance signs no request to Kraken")
        let hash = SHA256.hash(data: Array(String(nonce).utf8) + body)
        return bytes.withUnsafeBytes { secret in
            Base64.encode(
                Array(
                    HMAC<SHA512>.authenticationCode(
                        for: Array(path.utf8) + Array(hash), using: SymmetricKey(data: secret))))
        }
    }
}

extension InputFault {
    /// Returns the fault of a character at another offset.
    fileprivate func moved(to offset: Int) -> InputFault {
        switch self {
        case .space: .space(offset: offset)
        case .invisible: .invisible(offset: offset)
        default: .character(offset: offset)
        }
    }
}
