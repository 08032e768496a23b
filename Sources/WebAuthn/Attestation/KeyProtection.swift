/// The place of a credential's private key, with the evidence.
///
/// This is separate from ``AttestationTrust``: a vendor's certificate says whose product made the key. Only the formats
/// that describe the key, and the FIDO metadata of the model, say whether that product keeps the key in hardware.
public struct KeyProtection: Equatable, Sendable {
    /// The place of the key.
    public let place: Place
    /// The evidence for it.
    public let evidence: Evidence

    /// Creates a finding about a key.
    public init(place: Place, evidence: Evidence) {
        self.place = place
        self.evidence = evidence
    }

    /// No accepted evidence says where the key is kept.
    public static let unknown = KeyProtection(place: .unknown, evidence: .none)

    /// Whether the key never leaves hardware, or an execution environment that the operating system cannot read.
    public var isHardware: Bool {
        switch place {
        case .tee, .secureElement, .hardware: true
        case .unknown, .software, .remoteHandle: false
        }
    }

    /// The key protection types of the FIDO Registry of Predefined Values, section 3.2. Stores keep the names.
    public enum Place: String, CaseIterable, Sendable {
        /// The place is unknown.
        case unknown
        /// The operating system, or a program, can read the key.
        case software
        /// The key is stored, wrapped, with the relying party, and it is unknown what keeps the wrapping key.
        case remoteHandle = "remote_handle"
        /// A trusted execution environment of the main processor.
        case tee
        /// A separate chip that is designed to resist physical attacks.
        case secureElement = "secure_element"
        /// Hardware of another kind, such as a TPM or a security key.
        case hardware
    }

    /// The evidence for where the key is kept. Stores keep the names.
    public enum Evidence: String, CaseIterable, Sendable {
        /// Nothing proves the place of the key.
        case none
        /// A TPM certified the key; its attributes say that the TPM made it, and that it cannot leave.
        case tpm
        /// Android's description of the key, by secure hardware on a locked device that booted its manufacturer's
        /// system.
        case androidKey = "android-key"
        /// Apple's authority, which attests keys of the Secure Enclave only.
        case apple
        /// The FIDO metadata of the model.
        case metadata
    }
}

/// The statement's own claim about where the key is kept. It counts only if the certificates lead to an anchor.
enum StatedProtection: Equatable, Sendable {
    /// The format cannot express it, or the statement does not say it.
    case nothing
    /// A TPM's public area.
    ///
    /// - `staysInside`: the TPM made the key, and neither the key nor its parent can be moved to another one.
    /// - `hasWeakHash`: the TPM signed with SHA-1.
    case tpm(staysInside: Bool, hasWeakHash: Bool)
    /// Android's description of the key.
    case android(AndroidKeyDescription)
    /// Apple's authority attests no other keys.
    case secureEnclave
}

extension StatedProtection {
    /// Whether the statement rests on a signature for which SHA-1 was used.
    var hasWeakHash: Bool {
        if case .tpm(_, hasWeakHash: true) = self { true } else { false }
    }

    /// The place of the key, if the signers are trusted.
    var protection: KeyProtection {
        switch self {
        case .nothing: .unknown
        case .tpm(let staysInside, _): KeyProtection(place: staysInside ? .hardware : .unknown, evidence: .tpm)
        case .android(let description): KeyProtection(place: description.place, evidence: .androidKey)
        case .secureEnclave: KeyProtection(place: .secureElement, evidence: .apple)
        }
    }
}
