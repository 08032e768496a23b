public import Bitcoin
internal import Encoding
public import Ethereum
internal import HDKeys

/// The verification of a message's signature by an address of Bitcoin or Ethereum. It needs no wallet.
public enum MessageVerification: Hashable, Sendable {
    /// The verdict on a signature of BIP-322.
    case bitcoin(MessageVerdict)
    /// The account that made a signature of Ethereum, and the account that was expected. The signer is nil if no
    /// account can have made it.
    case ethereum(signer: EthereumAddress?, expected: EthereumAddress)

    /// The form of the message.
    public enum Form: Hashable, Sendable {
        /// Text or other bytes: BIP-322, or a personal message (EIP-191).
        case message
        /// A document of typed data (EIP-712), which only Ethereum has.
        case typedData
    }

    /// Verifies a signature.
    ///
    /// - Parameters:
    ///   - content: the message, or the document of typed data.
    ///   - address: the expected signer: an address of Bitcoin, or an account, which begins with `0x`.
    ///   - signature: the text of BIP-322, or the 65 bytes of Ethereum's signature in hexadecimal.
    /// - Throws: ``MessageVerificationFault``.
    public init(
        of content: [UInt8], as form: Form, by address: String, signature: String
    ) throws(MessageVerificationFault) {
        self =
            if address.hasPrefix("0x") {
                try Self.ethereum(content, form, address, signature)
            } else {
                try Self.bitcoin(content, form, address, signature)
            }
    }

    /// Whether the expected signer signed the message, without a restriction.
    public var isValid: Bool {
        switch self {
        case .bitcoin(let verdict): verdict == .valid
        case .ethereum(let signer, let expected): signer == expected
        }
    }

    /// Returns the findings about the message itself, which a valid signature does not make true.
    ///
    /// - Throws: ``MessageVerificationFault/message(_:)``.
    public static func findings(
        on content: [UInt8], as form: Form
    ) throws(MessageVerificationFault) -> [Finding] {
        switch form {
        case .message: return MessageReading(content).findings
        case .typedData:
            do { return try TypedData(decoding: content).findings } catch { throw .message(error) }
        }
    }

    private static func bitcoin(
        _ content: [UInt8], _ form: Form, _ address: String, _ signature: String
    ) throws(MessageVerificationFault) -> MessageVerification {
        guard form == .message else { throw .typedDataOnBitcoin }
        let unchecked: Address<Unchecked>
        do { unchecked = try Address<Unchecked>(address) } catch { throw .bitcoinAddress(error) }
        // The networks that share an address's form have the same script for it.
        guard let checked = Network.allCases.lazy.compactMap({ try? unchecked.require($0) }).first else {
            throw .bitcoinAddress(.badAddress)
        }
        do { return .bitcoin(try MessageSignature(signature).verdict(on: content, by: checked)) } catch {
            throw .bitcoinSignature(error)
        }
    }

    private static func ethereum(
        _ content: [UInt8], _ form: Form, _ address: String, _ signature: String
    ) throws(MessageVerificationFault) -> MessageVerification {
        let account: EthereumAddress
        do { account = try EthereumAddress(address) } catch { throw .account(error) }
        let digits = signature.dropFirst(signature.hasPrefix("0x") ? 2 : 0)
        guard var bytes = try? Hex.decode(String(digits)) else { throw .ethereumSignature(.badSignature) }
        // Some wallets write the parity itself as the last byte, 0 or 1, in place of 27 and 28.
        if bytes.count == EthereumSignature.size, let parity = bytes.popLast() {
            bytes.append(parity < 2 ? parity + 27 : parity)
        }
        let read: EthereumSignature
        do { read = try EthereumSignature(decoding: bytes) } catch { throw .ethereumSignature(error) }
        do {
            let hash =
                switch form {
                case .message: try PersonalMessage(bytes: content).hash
                case .typedData: try TypedData(decoding: content).hash
                }
            return .ethereum(signer: read.signer(ofHash: hash), expected: account)
        } catch { throw .message(error) }
    }
}

/// The reason why a signature cannot be verified.
public enum MessageVerificationFault: Error, Equatable, Sendable {
    /// Typed data is signed by Ethereum accounts, and the expected signer is not one.
    case typedDataOnBitcoin
    /// The Bitcoin address is malformed.
    case bitcoinAddress(BitcoinError)
    /// The Ethereum address is malformed.
    case account(EthereumError)
    /// The text is not a signature of BIP-322 that can be verified.
    case bitcoinSignature(MessageSignature.Fault)
    /// The text is not a signature of Ethereum.
    case ethereumSignature(EthereumError)
    /// The message, or the document of typed data, is malformed.
    case message(EthereumError)
}
