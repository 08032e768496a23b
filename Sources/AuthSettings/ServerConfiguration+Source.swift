internal import Encoding
internal import SQLStore
internal import ServerHTTP
internal import Time

extension ServerConfiguration {
    /// Reads and checks every setting.
    ///
    /// - Throws: ``ConfigurationError``, which names the first wrong setting.
    public init(_ source: ConfigurationSource) throws(ConfigurationError) {
        let port = 8420
        guard let listen = ListenAddress(try source.text("listen")) else {
            throw ConfigurationError("listen", "has to be an address and a port, such as 127.0.0.1:\(port)")
        }
        // An origin does not contain the default port.
        let here = listen.port == 80 ? "http://localhost" : "http://localhost:\(listen.port)"
        let url = try source.optionalText("public_url") ?? here
        guard let publicURL = PublicURL(url) else {
            throw ConfigurationError(
                "public_url",
                "has to be https://host or https://host:port (http only with localhost), no path, lower case")
        }
        self.publicURL = publicURL
        self.listen = listen
        transport = try Self.transport(source, publicURL, listen)
        relyingParty = try Self.relyingParty(source, publicURL)
        page = try Self.page(source)
        store = try Self.store(source)
        sessions = try Self.sessions(source)
        limits = LimitSettings(
            address: try Self.bucket(source, "limits.address"),
            network: try Self.bucket(source, "limits.network"),
            account: try Self.bucket(source, "limits.account"),
            device: try Self.bucket(source, "limits.device"),
            recovery: try Self.bucket(source, "limits.recovery"),
            allRecoveries: try Self.bucket(source, "limits.all_recoveries"),
            allSignUps: try Self.bucket(source, "limits.all_sign_ups"))
        connections = ConnectionSettings(
            total: try source.integer("limits.connections"),
            ofAddress: try source.integer("limits.address_connections"))
        guard let signUp = SignUp(rawValue: try source.text("sign_up")) else {
            throw ConfigurationError("sign_up", "has to be open, invitation or closed")
        }
        self.signUp = signUp
        attestation = AttestationSettings(
            isRequired: try source.bool("attestation.required"),
            anchors: try Self.anchors(source),
            metadataPath: try source.optionalText("attestation.metadata"),
            metadataRootPath: try source.optionalText("attestation.metadata_root"),
            androidRevocationPath: try source.optionalText("attestation.android_revocation"),
            allowsInsecureSHA1OfTPMs: try source.bool("attestation.insecure_sha1_of_tpms"),
            allowsAndroidSoftwareKeys: try source.bool("attestation.android_software_keys"))
        if attestation.isRequired, attestation.anchors.isEmpty, attestation.metadataPath == nil {
            throw ConfigurationError(
                "attestation.required", "needs attestation.anchors or attestation.metadata: else no passkey is accepted"
            )
        }
        switch (attestation.metadataPath, attestation.metadataRootPath) {
        case (.some, nil):
            throw ConfigurationError(
                "attestation.metadata", "needs attestation.metadata_root: the root certificate of their signer")
        case (nil, .some): throw ConfigurationError("attestation.metadata_root", "needs attestation.metadata")
        default: break
        }
        allowsNewBackupEligibility = try source.bool("passkeys.may_become_synchronised")
        metricsAddresses = try Self.addresses(source, "metrics.addresses")
        introspectionClients = try Self.introspectionClients(source)
        guard let addresses = LogAddresses(rawValue: try source.text("log.addresses")) else {
            throw ConfigurationError("log.addresses", "has to be network, full or none")
        }
        logAddresses = addresses
        audit = try AuditSettings(source, publicURL)
        witness = try WitnessSettings(source, publicURL)
    }

    /// Reads `format=path`. A path without a format is refused: if it counted for every format, certificates that
    /// attest security keys would attest TPMs and phones as well.
    private static func anchors(
        _ source: ConfigurationSource
    ) throws(ConfigurationError) -> [AttestationSettings.AnchorFile] {
        var anchors: [AttestationSettings.AnchorFile] = []
        for text in try source.texts("attestation.anchors") {
            guard let anchor = AttestationSettings.AnchorFile(text) else {
                let formats = AttestationSettings.AnchorFormat.allCases.map(\.rawValue).joined(separator: ", ")
                throw ConfigurationError(
                    "attestation.anchors",
                    "each has to name the format that the certificates are for, and the file: packed=/etc/fuekid/makers.pem "
                        + "(formats: \(formats))")
            }
            anchors.append(anchor)
        }
        return anchors
    }

    private static func transport(
        _ source: ConfigurationSource, _ url: PublicURL, _ listen: ListenAddress
    ) throws(ConfigurationError) -> Ingress {
        let certificate = try source.optionalText("tls.certificate")
        let key = try source.optionalText("tls.key")
        let proxies = try addresses(source, "proxy.addresses")
        if !proxies.isEmpty {
            guard certificate == nil, key == nil else {
                throw ConfigurationError("proxy.addresses", "TLS ends either at the proxy or here (tls), not at both")
            }
            guard url.isSecure else {
                throw ConfigurationError("public_url", "behind a proxy it has to begin with https://")
            }
            return .behindProxy(addresses: proxies)
        }
        switch (certificate, key) {
        case (let certificate?, let key?):
            guard url.isSecure else {
                throw ConfigurationError("public_url", "with TLS it has to begin with https://")
            }
            return .tls(certificatePath: certificate, keyPath: key)
        case (nil, nil):
            guard !url.isSecure else {
                throw ConfigurationError(
                    "tls", "https needs tls.certificate and tls.key, or proxy.addresses if a proxy ends TLS")
            }
            guard listen.isLoopback else {
                throw ConfigurationError("listen", "without TLS it has to be this machine's own, 127.0.0.1")
            }
            return .localhost
        default:
            throw ConfigurationError("tls", "needs both certificate and key")
        }
    }

    /// Returns addresses in canonical form, because they are compared with the addresses of connections.
    private static func addresses(
        _ source: ConfigurationSource, _ name: String
    ) throws(ConfigurationError) -> [String] {
        var addresses: [String] = []
        for text in try source.texts(name) {
            guard let address = ClientAddress.canonical(text) else {
                throw ConfigurationError(name, "each has to be an address, such as 192.0.2.1 or 2001:db8::1")
            }
            addresses.append(address)
        }
        return addresses
    }

    private static func relyingParty(
        _ source: ConfigurationSource, _ url: PublicURL
    ) throws(ConfigurationError) -> RelyingPartySettings {
        let id = try source.optionalText("relying_party.id") ?? url.host
        // The browser demands the same (WebAuthn section 5.1.3, step 8): the id is the host, or a domain that contains
        // it.
        guard url.host == id || url.host.hasSuffix(".\(id)"), !id.isEmpty else {
            throw ConfigurationError(
                "relying_party.id", "has to be the host of public_url, or a domain that it lies in")
        }
        let origins = try source.texts("relying_party.origins")
        for origin in origins where PublicURL(origin) == nil && !origin.hasPrefix("android:apk-key-hash:") {
            throw ConfigurationError("relying_party.origins", "each has to be https://host or https://host:port")
        }
        let name = try source.text("relying_party.name")
        guard isServiceName(name) else {
            let limit = Limits.serviceNameCharacters.upperBound
            throw ConfigurationError(
                "relying_party.name",
                "has to be 1 to \(limit) characters, none of them invisible, and no blank at its beginning or end")
        }
        return RelyingPartySettings(
            id: id, name: name,
            origins: [url.description] + origins.filter { $0 != url.description })
    }

    /// Returns whether a name is suitable for a heading: visible characters without marks that change the
    /// direction of text, and no blank at its beginning or end.
    private static func isServiceName(_ name: String) -> Bool {
        guard Limits.serviceNameCharacters.contains(name.count),
            name.utf8.count <= 16 * Limits.serviceNameCharacters.upperBound,
            let first = name.first, let last = name.last, !first.isWhitespace, !last.isWhitespace
        else { return false }
        return name.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse: false
            // The two joiners that scripts and emoji need.
            case .format: scalar == "\u{200c}" || scalar == "\u{200d}"
            default: true
            }
        }
    }

    private static func page(_ source: ConfigurationSource) throws(ConfigurationError) -> PageSettings {
        var page = PageSettings()
        if let text = try source.optionalText("page.accent") {
            guard let accent = PageColor(text) else {
                throw ConfigurationError("page.accent", "has to be a colour as #rrggbb, such as \(PageTheme.usual)")
            }
            page.accent = accent
        }
        page.logoPath = try source.optionalText("page.logo")
        guard page.logoPath != "" else { throw ConfigurationError("page.logo", "has to be the path of a file") }
        return page
    }

    private static func store(_ source: ConfigurationSource) throws(ConfigurationError) -> StoreLocation {
        let sqlite = try source.optionalText("store.sqlite")
        let connections = try source.integer("store.postgresql_connections")
        guard let connection = try source.optionalText("store.postgresql") else {
            return .sqlite(path: try source.text("store.sqlite"))
        }
        guard sqlite == nil else {
            throw ConfigurationError("store", "has to be sqlite or postgresql, not both")
        }
        return .postgreSQL(connection: connection, connections: connections)
    }

    private static func sessions(_ source: ConfigurationSource) throws(ConfigurationError) -> SessionSettings {
        let settings = SessionSettings(
            idle: .hours(Int64(try source.integer("session.idle_hours"))),
            lifetime: .hours(Int64(try source.integer("session.lifetime_hours"))),
            retryWindow: .seconds(Int64(try source.integer("session.retry_seconds"))),
            accessToken: .seconds(
                Int64(try source.integer("session.access_token_seconds"))),
            stepUpAge: .seconds(Int64(try source.integer("session.step_up_seconds"))))
        guard settings.idle <= settings.lifetime else {
            throw ConfigurationError("session.idle_hours", "cannot be longer than session.lifetime_hours")
        }
        return settings
    }

    private static func bucket(
        _ source: ConfigurationSource, _ name: String
    ) throws(ConfigurationError) -> LimitSettings.Bucket {
        LimitSettings.Bucket(
            burst: try source.integer("\(name)_burst"),
            perMinute: try source.integer("\(name)_per_minute"))
    }

    /// Reads `name:hash`, the hash in 64 hexadecimal digits.
    private static func introspectionClients(
        _ source: ConfigurationSource
    ) throws(ConfigurationError) -> [IntrospectionClient] {
        var clients: [IntrospectionClient] = []
        for text in try source.texts("introspection_clients") {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, let hash = try? Hex.decode(String(parts[1])), hash.count == 32,
                !clients.contains(where: { $0.name == parts[0] })
            else {
                throw ConfigurationError(
                    "introspection_clients",
                    "each has to be name:hash, with SHA-256 of its secret in hexadecimal digits")
            }
            clients.append(IntrospectionClient(name: String(parts[0]), secretHash: hash))
        }
        return clients
    }
}
