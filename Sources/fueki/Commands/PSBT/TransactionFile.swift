internal import Bitcoin
internal import Terminal
internal import Texts

/// A PSBT, and the encoding of its file.
struct TransactionFile {
    let psbt: PSBT
    let format: PSBTFormat

    /// Reads a PSBT in any of the three encodings. Errors name the path.
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
