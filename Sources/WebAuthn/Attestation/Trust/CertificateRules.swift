internal import Foundation
internal import SwiftASN1
internal import X509

/// The uses of a certificate that RFC 5280 allows.
extension Certificate {
    /// Reads DER of at most ``WebAuthnLimits/certificateBytes`` bytes.
    ///
    /// - Returns: nil if it is not an X.509 certificate, or its key or signature is of an unsupported kind: supported
    ///   are ECDSA on the NIST curves, RSA of 2048 bits and more, and Ed25519.
    static func reading(der: [UInt8]) -> Certificate? {
        der.count <= WebAuthnLimits.certificateBytes ? try? Certificate(derEncoded: der) : nil
    }

    /// Returns whether the certificate is valid at that time, in milliseconds since 1970 UTC; both ends are within.
    func isValid(at time: Int64) -> Bool {
        let seconds = Double(time) / 1_000
        return notValidBefore.timeIntervalSince1970 <= seconds && seconds <= notValidAfter.timeIntervalSince1970
    }

    /// Whether the certificate states that its key signs no certificates (section 4.2.1.9), by an explicit extension.
    ///
    /// DER omits default values; but Chromium's virtual authenticators, up to version 90, write the FALSE.
    var saysItIsNoAuthority: Bool {
        guard let value = extensions[oid: .X509ExtensionID.basicConstraints]?.value else { return false }
        return value.elementsEqual([0x30, 0x00]) || value.elementsEqual([0x30, 0x03, 0x01, 0x01, 0x00])
    }

    /// Whether the key may sign other data than certificates.
    var maySignData: Bool { usage { $0.digitalSignature } }

    /// Returns whether the key may sign a certificate with this many authorities between it and the end of the path.
    func mayIssue(above authorities: Int) -> Bool {
        guard case .isCertificateAuthority(let most)? = try? extensions.basicConstraints else { return false }
        if let most, authorities > most { return false }
        return usage { $0.keyCertSign }
    }

    /// Section 4.2.1.3: a certificate without the extension has a key for everything.
    private func usage(_ allows: (KeyUsage) -> Bool) -> Bool {
        do {
            return try extensions.keyUsage.map(allows) ?? true
        } catch {
            return false
        }
    }

    /// Returns whether this certificate's key signed the other, and its name is the other's issuer name.
    func issued(_ other: Certificate) -> Bool {
        subject == other.issuer && Self.signatures.contains(other.signatureAlgorithm)
            && publicKey.isValidSignature(other.signature, for: other)
    }

    /// The accepted signature algorithms of certificates. SHA-1 is left out: two certificates can be made with the same
    /// signature.
    private static let signatures: Set<Certificate.SignatureAlgorithm> = [
        .ecdsaWithSHA256, .ecdsaWithSHA384, .ecdsaWithSHA512,
        .sha256WithRSAEncryption, .sha384WithRSAEncryption, .sha512WithRSAEncryption, .ed25519,
    ]
}
