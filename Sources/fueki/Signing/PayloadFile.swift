internal import Bitcoin
internal import Custody
internal import Encoding
internal import Ethereum
internal import Foundation
internal import Terminal
internal import Wallet

/// Something to be signed as a file has it: which wallet and account sign it stands in it, or is still to be said.
enum PayloadFile {
    case bitcoin(PSBT)
    /// Of one that was signed, who did it.
    case ethereum(EthereumTransaction, sender: EthereumAddress?)
    case typedData(TypedData, document: [UInt8])
    case proposal(ProposalFile)

    /// Reads a PSBT in any of its forms, a transaction of Ethereum with or without signature in binary or hexadecimal, a document
    /// of typed data (EIP-712), or a proposal that was exported.
    static func read(_ path: String) throws(Failure) -> PayloadFile {
        let bytes = try InputFile.read(path)
        if ProposalFile.isOne(bytes) {
            return .proposal(try attempt(on: path) { () throws(CustodyError) in try ProposalFile(file: bytes) })
        }
        return try attempt(on: path) { () throws(WalletError) in try read(bytes) }
    }

    private static func read(_ bytes: [UInt8]) throws(WalletError) -> PayloadFile {
        let text = String(validating: bytes, as: UTF8.self)?.trimmingCharacters(in: .whitespacesAndNewlines)
        if text?.first == "{" {
            do { return .typedData(try TypedData(decoding: bytes), document: bytes) } catch { throw .ethereum(error) }
        }
        // In hexadecimal and in Base64.
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
    /// What every PSBT begins with in binary form.
    fileprivate static let magic: [UInt8] = [0x70, 0x73, 0x62, 0x74, 0xFF]
}
