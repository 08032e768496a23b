public import Secrets

/// The kinds of items that a wallet keeps. Each has one name, one class and one range of sizes, so that callers cannot
/// misspell the name or get the others wrong.
public enum SecretItem: Equatable, Sendable {
    /// The words of a mnemonic, in UTF-8.
    case mnemonic(wallet: String)
    /// The 16...64 bytes of a seed.
    case seed(wallet: String)
    /// A token that lets its bearer act, by its issuer.
    case accessToken(issuer: String)
    /// Several such tokens: see ``TokenList``.
    case accessTokens(issuer: String)

    /// Returns the name that the item is stored under.
    ///
    /// - Throws: ``SecureStorageError/outsideLimits(_:)`` for a wallet or issuer that is not suitable for a name.
    public func name() throws(SecureStorageError) -> ItemName {
        switch self {
        case .mnemonic(let wallet): try ItemName(service: "fueki.mnemonic", account: wallet)
        case .seed(let wallet): try ItemName(service: "fueki.seed", account: wallet)
        case .accessToken(let issuer): try ItemName(service: "fueki.access-token", account: issuer)
        case .accessTokens(let issuer): try ItemName(service: "fueki.access-tokens", account: issuer)
        }
    }

    /// The attributes that the item is stored with.
    public var attributes: ItemAttributes {
        switch self {
        case .mnemonic: .critical(.mnemonic)
        case .seed: .critical(.seed)
        case .accessToken: .sensitive(.accessToken)
        case .accessTokens: .sensitive(.accessTokenList)
        }
    }

    /// The allowed sizes in bytes: 12...24 words of at most 8 letters of at most 4 bytes, a seed, a token.
    private var sizes: ClosedRange<Int> {
        switch self {
        case .mnemonic: 12 * 2...24 * 33
        case .seed: 16...64
        case .accessToken: 1...TokenList.tokenSize
        case .accessTokens: TokenList.headerSize...Limits.itemSize
        }
    }

    fileprivate func check(_ secret: borrowing SecretBytes) throws(SecureStorageError) {
        guard sizes.contains(secret.count) else { throw .outsideLimits(.itemSize) }
    }
}

extension SecretStore {
    /// Stores an item, and replaces an existing one.
    ///
    /// - Throws: ``SecureStorageError/outsideLimits(_:)`` if the secret cannot be such an item, and the store's errors.
    public func save(_ secret: borrowing SecretBytes, as item: SecretItem) async throws(SecureStorageError) {
        try item.check(secret)
        try await save(secret, as: try item.name(), attributes: item.attributes)
    }

    /// Returns the secret of the item; nil if the store does not have the item.
    ///
    /// - Throws: ``SecureStorageError/wrongKind`` if another kind of item has its name, and the store's errors.
    public func load(_ item: SecretItem) async throws(SecureStorageError) -> SecretBytes? {
        let name = try item.name()
        guard let attributes = try await attributes(of: name) else { return nil }
        guard attributes.kind == item.attributes.kind else { throw .wrongKind }
        return try await load(name)
    }

    /// Removes the item. - Returns: whether there was one.
    @discardableResult
    public func delete(_ item: SecretItem) async throws(SecureStorageError) -> Bool {
        try await delete(try item.name())
    }

    /// Stores the tokens of an issuer, and replaces existing ones.
    public func save(_ tokens: borrowing TokenList, issuer: String) async throws(SecureStorageError) {
        try await save(tokens.encoded, as: .accessTokens(issuer: issuer))
    }

    /// Returns the tokens of an issuer, or nil if none were stored.
    public func loadTokens(issuer: String) async throws(SecureStorageError) -> TokenList? {
        guard let encoded = try await load(.accessTokens(issuer: issuer)) else { return nil }
        return try TokenList(decoding: encoded)
    }

    /// Removes every item, of one service or of all.
    public func deleteAll(in service: String?) async throws(SecureStorageError) {
        for name in try await names(in: service) { try await delete(name) }
    }

    /// Returns whether the store has any item. It neither decrypts an item nor shows a prompt.
    ///
    /// - Throws: the store's errors, if it cannot prove that it has none.
    public func hasStoredData() async throws(SecureStorageError) -> Bool { !(try await names(in: nil).isEmpty) }
}
