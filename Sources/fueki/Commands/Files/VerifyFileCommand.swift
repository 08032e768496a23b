internal import ArgumentParser
internal import Custody
internal import ErrorTexts
internal import Presentation
internal import Terminal
internal import Texts
internal import Wallet

struct VerifyFileCommand: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify-file", abstract: "Check whether a key signed a file, as minisign does.",
        discussion: """
            Verifies the signature of the file and that of the trusted comment. The exit code is 0 for valid signatures and for \
            nothing else. Signatures that minisign made without a digest (before version 0.10, without -H) are not verified.

            EXAMPLES
              fueki verify-file fueki-1.0.tar.gz --key fueki.pub
              fueki verify-file fueki-1.0.tar.gz --wallet savings
            """)

    @Argument(help: "The file.", completion: .file())
    var file: String

    @Option(file: "The signature (default: FILE.minisig).")
    var signature: String?

    @Option(help: .value("key", "The public key: a file of minisign's, or its second line (RW…)."), completion: .file())
    var key: String?

    @Option(help: .value("name", "The wallet whose key it should be, in place of --key."), completion: .wallets)
    var wallet: String?

    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard (key == nil) != (wallet == nil) else { throw ValidationError("name the key with --key or --wallet") }
    }

    func perform(_ output: Output) throws(Failure) {
        let key = try publicKey()
        let path = self.signature ?? file + ".minisig"
        let bytes = try InputFile.read(path)
        let signature = try attempt(on: path) { () throws(MinisignFault) in try MinisignSignature(decoding: bytes) }
        let digest = try FileDigest.read(file, output)
        let comment = try attempt(on: file) { () throws(MinisignFault) in
            try signature.trustedComment(on: digest, by: key)
        }
        try output.result(FileVerdict(file, comment, by: key))
    }

    private func publicKey() throws(Failure) -> MinisignKey {
        guard let key else { return try global.wallet(named: wallet ?? "").minisignKey }
        let fault: MinisignFault
        do throws(MinisignFault) { return try MinisignKey(decoding: key) } catch { fault = error }
        let bytes: [UInt8]
        // A line with a mistake is not the name of a file that is missing.
        do throws(Failure) { bytes = try InputFile.read(key) } catch {
            throw key.hasPrefix("RW") ? fault.failure : error
        }
        // Bytes that are not UTF-8 become U+FFFD, which only the untrusted comment may have.
        let text = String(decoding: bytes, as: UTF8.self)
        return try attempt(on: key) { () throws(MinisignFault) in try MinisignKey(decoding: text) }
    }
}
