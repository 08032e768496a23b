public import Encoding

/// What a page tells the browser (Level 3, section 5.1.10), so that people are not offered credentials that are gone: the
/// arguments of `PublicKeyCredential.signal…`.
public enum CredentialSignal: Sendable {
    /// `signalUnknownCredential`: after an authentication with a credential that the server does not have.
    ///
    /// - Warning: say this only to who answered with the credential: it tells that there is no such credential.
    case unknownCredential(CredentialID)
    /// `signalAllAcceptedCredentials`: all that the user has left, after one was removed.
    ///
    /// - Warning: authenticators hide or delete what is not on the list.
    case allAcceptedCredentials(of: UserHandle, [CredentialID])
    /// `signalCurrentUserDetails`: after the user was renamed.
    case currentUserDetails(User)

    /// The options that the browser's function takes.
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
