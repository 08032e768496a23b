internal import Bitcoin
internal import Terminal
internal import Texts

/// A PSBT with the form of its file: one of three encodings.
struct TransactionFile {
    let psbt: PSBT
    let format: PSBTFormat

    static func read(_ path: String) throws(Failure) -> TransactionFile {
        let bytes = try InputFile.read(path)
        guard let format = PSBTFormat(of: bytes) else {
            throw Failure(
                code: .malformed, name: "malformed",
                message: "\(path) is not a PSBT: neither binary, base64 nor hexadecimal")
        }
        return TransactionFile(
            psbt: try attempt(on: path) { () throws(BitcoinError) in try PSBT(bytes) }, format: format)
    }
}
