public import Bitcoin
public import Custody
internal import Encoding
public import Ethereum
internal import Foundation
internal import Wallet

/// A payload to be signed, read from a file. If the file does not determine the wallet and the account, the user has
/// to.
public enum PayloadFile: Sendable {
    /// A PSBT.
    case bitcoin(PSBT)
    /// A transaction of Ethereum, with the account that signed it if it is signed.
    case ethereum(EthereumTransaction, sender: EthereumAddress?)
    /// A document of typed data (EIP-712), with its bytes.
    case typedData(TypedData, document: [UInt8])
    /// A proposal that was exported for an approver.
    case proposal(ProposalFile)

    /// Reads a PSBT in any of its forms, a transaction of Ethereum with or without signature in binary or hexadecimal, a
    /// document of typed data, or an exported proposal.
    ///
    /// - Throws: `CustodyError.badProposal` and `CustodyError.wallet(_:)`.
    public init(decoding bytes: [UInt8]) throws(CustodyError) {
        if ProposalFile.isOne(bytes) {
            self = .proposal(try ProposalFile(file: bytes))
        } else {
            do { self = try Self.read(bytes) } catch { throw .wallet(error) }
        }
    }

    private static func read(_ bytes: [UInt8]) throws(WalletError) -> PayloadFile {
        let text = String(validating: bytes, as: UTF8.self)?.trimmingCharacters(in: .whitespacesAndNewlines)
        if text?.first == "{" {
            do { return .typedData(try TypedData(decoding: bytes), document: bytes) } catch { throw .ethereum(error) }
        }
        // The first bytes of a PSBT, in hexadecimal and in Base64.
        let isPSBT = ["70736274ff", "cHNidP"].contains { text?.hasPrefix($0) == true }
        if isPSBT || bytes.starts(with: PSBT.magic) {
            do { return .bitcoin(try PSBT(bytes)) } catch { throw .bitcoin(error) }
        }
        let digits = text.map { String($0.dropFirst($0.hasPrefix("0x") ? 2 : 0)) }
        let transaction = digits.flatMap { try? Hex.decode($0) } ?? bytes
        if let signed = try? SignedEthereumTransaction(decoding: transaction) {
            return .ethereum(signed.transaction, sender: signed.sender)
        }
        do { return .ethereum(try EthereumTransaction(decoding: transaction), sender: nil) } catch {
            throw .ethereum(error)
        }
    }
}

extension PSBT {
    /// The first bytes of every PSBT in binary form.
    fileprivate static let magic: [UInt8] = [0x70, 0x73, 0x62, 0x74, 0xFF]
}
