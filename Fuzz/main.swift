// Fuzzing guided by coverage (libFuzzer), for nights; the seeded runs of the tests are the ones of every day.
//
//     FUEKI_LIBFUZZER=1 swift build --scratch-path .build-fuzz --product fuzz-decoders
//     FUEKI_FUZZ_DECODER=cbor SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0 \
//         .build-fuzz/debug/fuzz-decoders -max_len=4096 -max_total_time=60 [CORPUS]
//
// Linux only: Apple's compiler comes without libFuzzer.

internal import Encoding
internal import Glibc
internal import Secrets
internal import Wallet

/// Of what is accepted, the encoding has to be the same as the input.
let decoders: [String: ([UInt8]) throws -> [UInt8]?] = [
    "cbor": { try CBOR(decoding: $0).encoded },
    "rlp": { try RLP(decoding: $0).encoded },
    "ethereum": { try SignedEthereumTransaction(decoding: $0).encoded },
    "ethereum-unsigned": { try EthereumTransaction(decoding: $0).encoded },
    "abi": { try ABI.encode(try ABI.decode($0, as: argumentTypes), as: argumentTypes) },
    "calldata": { input in
        _ = ContractCall(decoding: input)
        return input
    },
    "typed-data": { input in
        _ = try TypedData(decoding: input).permission
        return input
    },
    // White space and escapes may differ: what is read has to be what is written and read again.
    "json": { input in
        let value = try JSON(decoding: input)
        precondition((try? JSON(decoding: value.encoded)) == value, "written differently")
        return input
    },
    "effect": { input in
        let json = try JSON(decoding: input)
        precondition(try Effect(json: json).json == json, "written differently")
        return input
    },
    "hex": { input in
        try text(input).map { Hex.encode(try Hex.decode($0)) == $0.lowercased() ? input : [] }
    },
    "base64": { input in try text(input).map { Array(Base64.encode(try Base64.decode($0)).utf8) } },
    "base64url": { input in try text(input).map { Array(Base64URL.encode(try Base64URL.decode($0)).utf8) } },
    "base58check": { input in try text(input).map { Array(Base58Check.encode(try Base58Check.decode($0)).utf8) } },
    "bech32": { input in
        try text(input).map {
            let (hrp, data5, checksum) = try Bech32.decode($0)
            return try Bech32.encode(hrp: hrp, data5: data5, checksum: checksum) == $0.lowercased() ? input : []
        }
    },
    "groups5": { Bech32.groups5(of: try Bech32.bytes(ofGroups5: $0)) },
    "segwit": { input in
        try text(input).map {
            let (hrp, version, program) = try SegwitAddress.decode($0)
            return try SegwitAddress.encode(hrp: hrp, version: version, program: program) == $0.lowercased()
                ? input : []
        }
    },
    "transaction": { try Transaction(decoding: $0).encoded },
    // The keys of a map may come in any order: what is read has to be the same as what is written and read again.
    "psbt": { input in
        let psbt = try PSBT(decoding: input)
        precondition((try? PSBT(decoding: psbt.encoded)) == psbt, "written differently")
        let summary = SpendSummary(of: psbt, for: .nobody(on: .regtest))
        precondition(summary.signingRequests.isEmpty, "nobody signs")
        _ = try? psbt.finalised().transaction()
        return input
    },
    // Words may be in capitals and far apart: what is read has to be what is written and read again.
    "mnemonic": { input in
        let mnemonic = try Mnemonic(words: secret(input))
        do {
            let again = try Mnemonic(words: mnemonic.words()).entropy()
            precondition(again.matches(mnemonic.entropy()), "written differently")
        } catch { preconditionFailure("refuses what it writes") }
        return input
    },
    "mnemonic-passphrase": { input in
        _ = try silence.seed(passphrase: secret(input))
        return input
    },
    "descriptor": { input in try text(input).map { Array(try OutputDescriptor($0, on: .mainnet).text.utf8) } },
    "extended-key": { input in
        try text(input).map { Array(try ExtendedPublicKey($0, on: .mainnet).text(on: .mainnet).utf8) }
    },
    "extended-private-key": { input in
        _ = try ExtendedPrivateKey(text: secret(input), on: .mainnet)
        return input
    },
    "path": { input in
        try text(input).map {
            let path = try DerivationPath($0)
            return try DerivationPath(path.description) == path ? input : []
        }
    },
    // Whatever a policy says, it decides, and says why.
    "policy": { input in
        let policy = try Policy(file: input)
        precondition(policy.rules.allSatisfy { !$0.description.isEmpty })
        return input
    },
    "payload": { input in
        let payload = try SigningPayload(decoding: input)
        precondition((try? SigningPayload(decoding: payload.encoded)) == payload, "written differently")
        return input
    },
    "message-signature": { input in
        try text(input).map {
            let signature = try MessageSignature($0)
            return [signature.text, signature.base64].contains($0) ? input : []
        }
    },
]

/// Of each kind, nested.
let argumentTypes: [ABIType] = [
    .tuple([.address, .array(.tuple([.string, .int(16)]), count: nil)]), .array(.array(.bool, count: 2), count: 2),
    .array(.bytes, count: 2), .uint(48), .fixedBytes(31),
]

/// A mnemonic to be given passphrases: of 128 bits, all 0.
let silence = {
    guard let mnemonic = try? Mnemonic(entropy: secret([UInt8](repeating: 0, count: 16))) else {
        preconditionFailure("16 bytes are an entropy")
    }
    return SilentMnemonic(mnemonic)
}()

final class SilentMnemonic: Sendable {
    private let mnemonic: Mnemonic
    init(_ mnemonic: consuming Mnemonic) { self.mnemonic = mnemonic }
    func seed(passphrase: borrowing SecretBytes) throws -> SecretBytes { try mnemonic.seed(passphrase: passphrase) }
}

func secret(_ input: [UInt8]) -> SecretBytes { SecretBytes(count: input.count) { $0.copyBytes(from: input) } }

func text(_ input: [UInt8]) -> String? { String(validating: input, as: UTF8.self) }

/// The name under which libFuzzer looks for what it calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func tryInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let input = [UInt8](UnsafeBufferPointer(start: bytes, count: count))
    guard let encoded = try? decode(input) else { return 0 }
    precondition(encoded == input, "accepted, but encodes differently")
    return 0
}

/// SwiftPM gives the program a `main` of its own, so libFuzzer is started by hand.
@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

let name = getenv("FUEKI_FUZZ_DECODER").map { String(cString: $0) } ?? ""
guard let decoder = decoders[name] else {
    let words = Array("FUEKI_FUZZ_DECODER is one of \(decoders.keys.sorted().joined(separator: ", "))\n".utf8)
    _ = write(2, words, words.count)
    exit(64)
}
nonisolated(unsafe) let decode = decoder

var count = CommandLine.argc
var arguments = CommandLine.unsafeArgv
exit(runFuzzer(&count, &arguments, tryInput))
