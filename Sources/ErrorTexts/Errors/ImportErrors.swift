package import Custody
package import Mnemonics
package import Texts

extension Mnemonic.Fault: Explained {
    package var failure: Failure {
        let message: String =
            switch self {
            case .wordCount(let count): "a mnemonic has 12, 15, 18, 21 or 24 words in one line, and this has \(count)"
            case .unknownWord(let position): "word \(position) is not in BIP-39's English word list"
            case .badChecksum: "the words are not a mnemonic: one is wrong, or in the wrong place"
            case .entropySize, .notText, .tooLong: "this is not a mnemonic"
            }
        return Failure(code: .malformed, name: "bad_mnemonic", message: message)
    }
}

extension Keystore.Fault: Explained {
    package var failure: Failure {
        switch self {
        case .notJSON: bad("not_a_keystore", "this is not an Ethereum keystore: it is not JSON")
        case .badField(let field):
            bad("not_a_keystore", "this is not an Ethereum keystore: '\(field.rawValue)' is missing or malformed")
        case .unknownVersion:
            bad("keystore_version", "this is not a version 3 keystore, and fueki reads no other version")
        case .unknownCipher: bad("keystore_cipher", "the keystore is not encrypted with AES-128-CTR")
        case .unknownDerivation:
            bad("keystore_derivation", "the keystore derives its key with neither scrypt nor PBKDF2-SHA-256")
        case .costOutOfBounds:
            bad("keystore_cost", "the keystore asks for more time or memory than is allowed")
        case .outOfMemory:
            Failure(code: .other, name: "out_of_memory", message: "there is too little memory to open the keystore")
        case .wrongPassphrase:
            Failure(
                code: .wrongPassphrase, name: "wrong_passphrase",
                message: "the passphrase does not open the keystore, or the file is damaged")
        case .badKey, .otherAddress:
            bad("bad_keystore_key", "the keystore's key does not belong to the address that it names")
        }
    }

    private func bad(_ name: String, _ message: String) -> Failure {
        Failure(code: .malformed, name: name, message: message)
    }
}
