public import Bitcoin
internal import Encoding
public import Ethereum
internal import HDKeys

/// The exact bytes to be signed, and the account that signs. Every participant decodes the effects from these bytes.
public enum SigningPayload: Equatable, Sendable {
    /// A transaction of Bitcoin, as a PSBT.
    case bitcoinTransaction(PSBT)
    /// A transaction of Ethereum, by the account with this index.
    case ethereumTransaction(EthereumTransaction, account: UInt32)
    /// A personal message (EIP-191).
    case personalMessage(PersonalMessage, account: UInt32)
    /// Typed data (EIP-712), with the document that `TypedData` read.
    case typedData(TypedData, document: [UInt8], account: UInt32)
    /// A message for BIP-322, without a prefix; text is in UTF-8.
    case bitcoinMessage([UInt8], by: AddressLabel)
    /// A file, by the wallet's Ed25519 key, for minisign.
    case file(FileToSign)

    // The first byte of the encoding.
    private enum Kind: UInt8 {
        case bitcoinTransaction = 1
        case ethereumTransaction, personalMessage, typedData, bitcoinMessage, file
    }

    /// The encoding that is sent to participants: the kind (1 byte), the account (4 bytes, big-endian; 0 for a PSBT, an
    /// address's index for BIP-322), and the content: a PSBT, a transaction without signature (EIP-2718), a message, or
    /// a document. For BIP-322 the content is the address's kind (1 byte: 0 P2TR, 1 P2WPKH), its chain (1 byte: 0 or
    /// 1), and the message. For a file the account is 0, and the content is the public key (32 bytes), the BLAKE2b-512
    /// digest (64 bytes), the size (8 bytes) and the trusted comment.
    public var encoded: [UInt8] {
        let (kind, account, bytes): (Kind, UInt32, [UInt8]) =
            switch self {
            case .bitcoinTransaction(let psbt): (.bitcoinTransaction, 0, psbt.encoded)
            case .ethereumTransaction(let transaction, let account):
                (.ethereumTransaction, account, transaction.encoded)
            case .personalMessage(let message, let account): (.personalMessage, account, message.bytes)
            case .typedData(_, let document, let account): (.typedData, account, document)
            case .bitcoinMessage(let message, let address):
                (
                    .bitcoinMessage, address.path.index,
                    [address.kind.rawValue, UInt8(address.path.chain.rawValue)] + message
                )
            case .file(let file): (.file, 0, file.encoded)
            }
        var writer = ByteWriter(reserving: bytes.count + 5)
        writer.append(kind.rawValue)
        writer.bigEndian(account)
        writer.append(bytes)
        return writer.bytes
    }

    /// Decodes what ``encoded`` returns.
    ///
    /// - Throws: ``WalletError/malformed(_:)``; ``WalletError/bitcoin(_:)``, ``WalletError/ethereum(_:)`` or
    ///   ``WalletError/file(_:)`` for the bytes of its kind.
    public init(decoding bytes: [UInt8]) throws(WalletError) {
        let (kind, account, body): (Kind, UInt32, [UInt8])
        do throws(EncodingError) {
            var reader = try ByteReader(bytes, limit: BitcoinLimits.psbtBytes + 5)
            guard let known = Kind(rawValue: try reader.uint8()) else { throw EncodingError.unsupported }
            (kind, account) = (known, try reader.bigEndian(UInt32.self))
            body = Array(reader.rest())
        } catch {
            throw .malformed(error)
        }
        switch kind {
        case .bitcoinTransaction:
            guard account == 0 else { throw .malformed(.notCanonical) }
            do { self = .bitcoinTransaction(try PSBT(decoding: body)) } catch { throw .bitcoin(error) }
        case .ethereumTransaction, .personalMessage, .typedData:
            do { self = try Self.ethereum(kind, body, account) } catch { throw .ethereum(error) }
        case .bitcoinMessage:
            guard body.count >= 2 else { throw .malformed(.truncated) }
            guard body.count <= WalletLimits.messageBytes + 2 else {
                throw .malformed(.tooLong(limit: WalletLimits.messageBytes))
            }
            guard let kind = AddressLabel.Kind(rawValue: body[0]),
                let chain = AddressPath.Chain(rawValue: UInt32(body[1]))
            else { throw .malformed(.unsupported) }
            let path: AddressPath
            do { path = try AddressPath(chain, index: account) } catch { throw .key(error) }
            let address = AddressLabel(kind, at: path)
            self = .bitcoinMessage(Array(body.dropFirst(2)), by: address)
        case .file:
            guard account == 0 else { throw .malformed(.notCanonical) }
            self = .file(try FileToSign(decoding: body))
        }
    }

    private static func ethereum(
        _ kind: Kind, _ body: [UInt8], _ account: UInt32
    ) throws(EthereumError) -> SigningPayload {
        switch kind {
        case .ethereumTransaction:
            return .ethereumTransaction(try EthereumTransaction(decoding: body), account: account)
        case .personalMessage: return .personalMessage(try PersonalMessage(bytes: body), account: account)
        case .typedData: return .typedData(try TypedData(decoding: body), document: body, account: account)
        case .bitcoinTransaction, .bitcoinMessage, .file: throw .malformed(.unsupported)
        }
    }
}
