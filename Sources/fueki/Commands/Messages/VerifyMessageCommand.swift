internal import ArgumentParser
internal import Bitcoin
internal import Encoding
internal import Ethereum
internal import HDKeys
internal import Terminal
internal import Wallet

struct VerifyMessageCommand: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify-message", abstract: "Find out whether an address signed a message. Needs no wallet.",
        discussion: """
            Bitcoin: BIP-322, of addresses that one key spends from (P2WPKH and P2TR); others are inconclusive, and never \
            taken for valid. Ethereum: personal messages (EIP-191), and with --typed documents of typed data (EIP-712), of \
            accounts that have a key; only a node can ask the contract of one that has none.

            The exit code is 0 for a valid signature and for nothing else. One that counts only from some time on is \
            'valid_at', with exit code 2: whether that has come is for you to see.

            EXAMPLES
              fueki verify-message --text 'I hold this' --address bc1q… --signature smp…
              fueki verify-message order.json --typed --address 0x… --signature 0x…
            """)

    @OptionGroup var message: MessageArgument

    @Option(
        help: ArgumentHelp("Whose signature it should be: an address of Bitcoin or Ethereum.", valueName: "address"))
    var address: String

    @Option(
        help: ArgumentHelp(
            "The signature: BIP-322's text, or the 65 bytes of Ethereum's in hexadecimal.", valueName: "signature"))
    var signature: String

    @Flag(help: "The message is a document of typed data (JSON, EIP-712).")
    var typed = false

    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) throws(Failure) {
        let content = try message.bytes()
        var verdict = try address.hasPrefix("0x") ? ethereumVerdict(on: content) : bitcoinVerdict(on: content)
        let findings = try findings(on: content)
        if !findings.isEmpty { verdict.remarks = findings.map(MessageFinding.init) }
        for finding in findings { output.note(Wrapped.text("warning: of the message, \(finding.text)")) }
        try output.result(verdict) { verdict.text }
        if let failure = verdict.failure { throw failure }
    }

    /// What is odd about the message, which a valid signature does not make true.
    private func findings(on content: [UInt8]) throws(Failure) -> [Finding] {
        guard typed else { return MessageReading(content).findings }
        return try attempt { () throws(EthereumError) in try TypedData(decoding: content).findings }
    }

    private func bitcoinVerdict(on content: [UInt8]) throws(Failure) -> SignatureVerdict {
        if typed { throw .usage("typed data is signed by accounts of Ethereum, and this is no address of one") }
        let unchecked = try attemptAddress { () throws(BitcoinError) in try Address<Unchecked>(address) }
        // Which of the networks that share its form makes no difference: the script is the same.
        guard let checked = Network.allCases.lazy.compactMap({ try? unchecked.require($0) }).first else {
            throw BitcoinError.badAddress.failure
        }
        let read = try attempt { () throws(MessageSignature.Fault) in try MessageSignature(signature) }
        return SignatureVerdict(read.verdict(on: content, by: checked), address)
    }

    private func ethereumVerdict(on content: [UInt8]) throws(Failure) -> SignatureVerdict {
        let account = try attemptAddress { () throws(EthereumError) in try EthereumAddress(address) }
        let digits = signature.dropFirst(signature.hasPrefix("0x") ? 2 : 0)
        guard let bytes = try? Hex.decode(String(digits)) else { throw EthereumError.badSignature.failure }
        let read = try attempt { () throws(EthereumError) in try EthereumSignature(decoding: bytes) }
        let hash = try attempt { () throws(EthereumError) in
            typed ? try TypedData(decoding: content).hash : try PersonalMessage(bytes: content).hash
        }
        return SignatureVerdict(signer: read.signer(ofHash: hash), account)
    }
}

/// What is known of a signature, as it is shown.
struct SignatureVerdict: Encodable {
    let chain: String
    let address: String
    /// `valid`, `valid_at`, `inconclusive` or `invalid`.
    let verdict: String
    /// The transaction of the signature could be mined from then on: a height or a time (`nLockTime`).
    var lock_time: UInt32?
    /// For coins of that age (BIP-68).
    var sequence: UInt32?
    /// Of Ethereum: whose signature of this message it is, if it is one at all.
    var signer: String?
    /// What is odd about the message; not there where nothing is.
    var remarks: [MessageFinding]?

    /// Says it to a person. The first word is the verdict.
    var text: String { "\(verdict): \(meaning)" }

    private var meaning: String {
        switch verdict {
        case "valid": "\(address) signed this"
        case "valid_at":
            "\(address) signed this, and the signature counts only with lock time \(lock_time ?? 0) and sequence \(sequence ?? 0)"
        case "inconclusive": "whether \(address) signed this cannot be told without running a script"
        default: "\(address) did not sign this" + (signer.map { ". The signature would be that of \($0)" } ?? "")
        }
    }

    /// Only a valid signature is a success.
    var failure: Failure? {
        verdict == "valid"
            ? nil : Failure(code: .refused, name: verdict, message: "the signature is not known to be valid")
    }

    init(_ verdict: MessageVerdict, _ address: String) {
        chain = "bitcoin"
        self.address = address
        switch verdict {
        case .valid: self.verdict = "valid"
        case .validAt(let lockTime, let sequence):
            self.verdict = "valid_at"
            lock_time = lockTime
            self.sequence = sequence
        case .inconclusive: self.verdict = "inconclusive"
        case .invalid: self.verdict = "invalid"
        }
    }

    init(signer: EthereumAddress?, _ address: EthereumAddress) {
        chain = "ethereum"
        self.address = address.description
        self.signer = signer?.description
        verdict = signer == address ? "valid" : "invalid"
    }
}

/// Something that is odd about a message.
struct MessageFinding: Encodable {
    let name: String
    let text: String

    init(_ finding: Finding) { (name, text) = (finding.name, finding.text) }
}
