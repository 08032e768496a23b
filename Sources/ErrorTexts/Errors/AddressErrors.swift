package import Bitcoin
internal import Encoding
package import Ethereum
package import Texts

/// An error of reading an address. A fault in the text counts as a fault in the address: the Base58 decoder does not
/// know the purpose of its input.
package protocol AddressProblem: Error {
    /// - Parameter text: the text that was read as an address.
    func failure(ofAddress text: String) -> Failure
}

extension BitcoinError: AddressProblem {
    package func failure(ofAddress text: String) -> Failure {
        switch self {
        case .wrongNetwork:
            Failure(code: .malformed, name: "bad_address", message: "this is an address of another network")
        case .badSegwitAddress(let fault): fault.failure(in: text)
        default: .badAddress
        }
    }
}

extension EthereumError: AddressProblem {
    package func failure(ofAddress text: String) -> Failure {
        guard case .malformed(.badChecksum) = self else { return .badAddress }
        // The message does not name the correct letters: with them, wrong digits would pass the checksum (EIP-55).
        return Failure(
            code: .malformed, name: "bad_checksum",
            message:
                "the capital and small letters of this address do not match its digits: a character is mistyped or lost",
            hint: "copy it anew from where it came")
    }
}

/// Reads an address.
package func attemptAddress<Value, Problem: AddressProblem>(
    _ text: String, _ read: () throws(Problem) -> Value
) throws(Failure) -> Value {
    do { return try read() } catch { throw error.failure(ofAddress: text) }
}

/// The details of an invalid address for programs.
struct AddressFaultDetails: Encodable {
    struct Fault: Encodable {
        /// The kind of the fault: `mistyped`, `length` and others.
        let kind: String
        /// The offsets of the wrong characters in the address, from 0.
        let offsets: [Int]
    }

    let address: Fault
}

extension SegwitAddress.Fault {
    /// Names the letters that are probably wrong, and never suggests a correction: a person who copies one without a
    /// check may pay the owner of another address (BIP-173).
    func failure(in text: String) -> Failure {
        let (kind, offsets, message, hint): (String, [Int], String, String?) =
            switch self {
            case .mixedCase(let offsets):
                (
                    "mixed_case", offsets,
                    "this address mixes capital and small letters, which no address of this kind does", Self.anew
                )
            case .foreignCharacters(let offsets):
                (
                    "foreign_characters", offsets,
                    offsets.count == 1
                        ? "the marked character occurs in no address of this kind"
                        : "the marked characters occur in no address of this kind", Self.anew
                )
            case .length(let count, let expected):
                (
                    "length", [],
                    "this address has \(count) characters, and one that begins like this has "
                        + expected.map { "\($0)" }.joined(separator: " or "), Self.anew
                )
            case .mistyped(let offsets):
                (
                    "mistyped", offsets, "this address is mistyped, probably where it is marked",
                    offsets.count == 1
                        ? "compare the marked character with the original; no correction is guessed"
                        : "compare the marked characters with the original; no correction is guessed"
                )
            case .otherChecksum:
                (
                    "other_checksum", [], "this address was written by an outdated or faulty program",
                    "ask the payee for an address from another program"
                )
            case .badChecksum: ("bad_checksum", [], "several characters of this address are wrong", Self.anew)
            case .unknownProgram:
                ("unknown_program", [], "this is an address of a kind that this version cannot pay to", nil)
            }
        var failure = Failure(
            code: .malformed, name: "bad_address", message: message, hint: hint,
            details: AddressFaultDetails(address: .init(kind: kind, offsets: offsets)))
        if !text.isEmpty { failure.figure = MarkedGroups(text, marking: offsets) }
        return failure
    }

    private static let anew = "copy it anew from where it came"
}

extension Failure {
    fileprivate static var badAddress: Failure {
        Failure(
            code: .malformed, name: "bad_address", message: "this is not an address, or one character of it is wrong")
    }
}
