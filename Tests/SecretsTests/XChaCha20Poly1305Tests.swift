internal import Secrets
internal import TestSupport
internal import Testing

final class XChaCha20Poly1305Tests {
    private let key = SecretBytes(count: 32) { $0.copyBytes(from: (0x80...0x9f).map(UInt8.init)) }
    private let nonce = (0x40...0x57).map(UInt8.init)
    private let associatedData: [UInt8] = [0x50, 0x51, 0x52, 0x53] + (0xc0...0xc7).map(UInt8.init)
    private let message = Array(
        "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it."
            .utf8)

    @Test("the result matches draft-irtf-cfrg-xchacha, A.3.1")
    func knownAnswer() throws {
        let sealed = XChaCha20Poly1305.seal(message, key: key, nonce: nonce, associatedData: associatedData)
        #expect(
            hex(sealed)
                == "bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb"
                + "731c7f1b0b4aa6440bf3a82f4eda7e39ae64c6708c54c216cb96b72e1213b452"
                + "2f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff9"
                + "21f9664c97637da9768812f615c68b13b52e" + "c0875924c1c7987947deafd8780acf49")
        #expect(XChaCha20Poly1305.open(sealed, key: key, nonce: nonce, associatedData: associatedData) == message)
    }

    @Test("a ciphertext with any change does not open")
    func changed() {
        let sealed = XChaCha20Poly1305.seal(message, key: key, nonce: nonce, associatedData: associatedData)
        for position in sealed.indices {
            var changed = sealed
            changed[position] ^= 1
            #expect(XChaCha20Poly1305.open(changed, key: key, nonce: nonce, associatedData: associatedData) == nil)
        }
        #expect(XChaCha20Poly1305.open(sealed, key: key, nonce: nonce, associatedData: []) == nil)
        #expect(
            XChaCha20Poly1305.open(sealed, key: key, nonce: nonce.reversed(), associatedData: associatedData) == nil)
        for size in sealed.indices {
            #expect(
                XChaCha20Poly1305.open(sealed.prefix(size), key: key, nonce: nonce, associatedData: associatedData)
                    == nil)
        }
    }
}
