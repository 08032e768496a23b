/// What is wrong with an attestation statement whose form could be read.
public enum AttestationFlaw: Equatable, Sendable {
    /// A field is missing, of another type, or not one of this format.
    case malformed
    /// The statement's algorithm is not the one of the key that signed it.
    case wrongAlgorithm
    /// The signature over the authenticator data and the client data is not one of that key.
    case badSignature
}
