public import Secrets

extension SecretStore {
    /// Stores a wallet's mnemonic: its words in UTF-8. See ``SecretItem/mnemonic(wallet:)``.
    public func saveMnemonic(_ words: borrowing SecretBytes, wallet: String) async throws(SecureStorageError) {
        try await save(words, as: .mnemonic(wallet: wallet))
    }

    /// Returns a wallet's mnemonic; nil if the store does not have it.
    public func loadMnemonic(wallet: String) async throws(SecureStorageError) -> SecretBytes? {
        try await load(.mnemonic(wallet: wallet))
    }

    /// Removes a wallet's mnemonic. - Returns: whether there was one.
    @discardableResult
    public func deleteMnemonic(wallet: String) async throws(SecureStorageError) -> Bool {
        try await delete(.mnemonic(wallet: wallet))
    }

    /// Stores a wallet's seed: 16...64 bytes. See ``SecretItem/seed(wallet:)``.
    public func saveSeed(_ seed: borrowing SecretBytes, wallet: String) async throws(SecureStorageError) {
        try await save(seed, as: .seed(wallet: wallet))
    }

    /// Returns a wallet's seed; nil if the store does not have it.
    public func loadSeed(wallet: String) async throws(SecureStorageError) -> SecretBytes? {
        try await load(.seed(wallet: wallet))
    }

    /// Removes a wallet's seed. - Returns: whether there was one.
    @discardableResult
    public func deleteSeed(wallet: String) async throws(SecureStorageError) -> Bool {
        try await delete(.seed(wallet: wallet))
    }

    /// Stores an issuer's access token. See ``SecretItem/accessToken(issuer:)``.
    public func saveAccessToken(_ token: borrowing SecretBytes, issuer: String) async throws(SecureStorageError) {
        try await save(token, as: .accessToken(issuer: issuer))
    }

    /// Returns an issuer's access token; nil if the store does not have it.
    public func loadAccessToken(issuer: String) async throws(SecureStorageError) -> SecretBytes? {
        try await load(.accessToken(issuer: issuer))
    }

    /// Removes an issuer's access token. - Returns: whether there was one.
    @discardableResult
    public func deleteAccessToken(issuer: String) async throws(SecureStorageError) -> Bool {
        try await delete(.accessToken(issuer: issuer))
    }

    /// Stores an issuer's list of access tokens.
    public func saveAccessTokenList(_ tokens: borrowing TokenList, issuer: String) async throws(SecureStorageError) {
        try await save(tokens, issuer: issuer)
    }

    /// Returns an issuer's list of access tokens; nil if the store does not have it.
    public func loadAccessTokenList(issuer: String) async throws(SecureStorageError) -> TokenList? {
        try await loadTokens(issuer: issuer)
    }

    /// Removes an issuer's list of access tokens. - Returns: whether there was one.
    @discardableResult
    public func deleteAccessTokenList(issuer: String) async throws(SecureStorageError) -> Bool {
        try await delete(.accessTokens(issuer: issuer))
    }

    /// Removes every item of the store.
    public func clearAll() async throws(SecureStorageError) { try await deleteAll(in: nil) }

    /// Returns whether the store has any item. It neither decrypts an item nor shows a prompt.
    ///
    /// - Throws: the store's errors, if it cannot prove that it has none.
    public func hasStoredData() async throws(SecureStorageError) -> Bool { !(try await names(in: nil).isEmpty) }
}
