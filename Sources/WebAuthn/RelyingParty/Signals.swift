public import Encoding

/// A page's message to the browser (Level 3, section 5.1.10), so that users are not offered removed credentials: the
/// arguments of `PublicKeyCredential.signal…`.
public enum CredentialSignal: Sendable {
    /// `signalUnknownCredential`: after an authentication with a credential that the server does not have.
    ///
    /// - Warning: Send this only to the client that used the credential: it reveals that the credential does not exist.
    case unknownCredential(CredentialID)
    /// `signalAllAcceptedCredentials`: the user's remaining credentials, after one was removed.
    ///
    /// - Warning: Authenticators hide or delete credentials that are not on the list.
    case allAcceptedCredentials(of: UserHandle, [CredentialID])
    /// `signalCurrentUserDetails`: after the user was renamed.
    case currentUserDetails(User)

    /// Returns the options for the browser's function.
    public func json(of relyingParty: RelyingParty) -> JSON {
        let id = JSON.string(relyingParty.id.text)
        switch self {
        case .unknownCredential(let credential):
            return ["rpId": id, "credentialId": .string(credential.description)]
        case .allAcceptedCredentials(let user, let credentials):
            return [
                "rpId": id, "userId": .string(Base64URL.encode(user.bytes)),
                "allAcceptedCredentialIds": .array(credentials.map { .string($0.description) }),
            ]
        case .currentUserDetails(let user):
            return [
                "rpId": id, "userId": .string(Base64URL.encode(user.handle.bytes)), "name": .string(user.name),
                "displayName": .string(user.displayName),
            ]
        }
    }
}
