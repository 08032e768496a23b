internal import AuthAPI
public import Secrets

/// Looks at a server that is set up, without changing anything.
public enum Preflight {
    /// What was found: that something is as it should be, or what is not, or is unwise.
    public struct Finding: Equatable, Sendable {
        public let isGood: Bool
        public let text: String
    }

    /// - Throws: whatever keeps the server from starting.
    public static func findings(
        _ configuration: ServerConfiguration, home: ServerHome, passphrase: borrowing SecretBytes
    ) async throws -> [Finding] {
        var findings: [Finding] = []
        let sealer = try await home.sealer(passphrase: passphrase, random: SystemRandom())
        findings.append(Finding(isGood: true, text: "vault: opens, its newest master key is number \(sealer.newest)"))
        _ = try ServerTransport.builder(configuration.transport)
        findings.append(Finding(isGood: true, text: "transport: \(configuration.transport.text)"))
        _ = try configuration.webAuthnRelyingParty
        _ = try AttestationFiles.policy(configuration.attestation, at: .now())
        findings.append(Finding(isGood: true, text: "passkeys: of \(configuration.relyingParty.id)"))
        if case .sqlite(let name) = configuration.store, !home.hasFile(home.absolute(name)) {
            return findings + [Finding(isGood: false, text: "store: there is none yet; the first start makes it")]
        }
        let database = try await home.database(configuration.store)
        do {
            findings += try await look(at: database, sealer: sealer)
        } catch {
            await database.close()
            throw error
        }
        await database.close()
        return findings
    }

    private static func look(at database: any Database, sealer: ColumnSealer) async throws -> [Finding] {
        guard try await Migrator.isCurrent(database) else {
            return [
                Finding(isGood: false, text: "store: its tables are an older version's; the next start migrates them")
            ]
        }
        let rows = try await database.read { transaction in
            try KeyPurpose.allCases.flatMap { try ServerKeys.all(purpose: $0.rawValue, in: transaction) }
        }
        do {
            _ = try KeyRing.Snapshot(rows, sealer: sealer, now: .now())
        } catch StoreError.unknownSealingKey, StoreError.sealIsBroken {
            throw StartupError.otherMasterKey
        }
        return [Finding(isGood: true, text: "store: tables are current, and the \(rows.count) keys in it open")]
    }
}

extension ServerConfiguration.Transport {
    /// For the operator.
    var text: String {
        switch self {
        case .localhost: "plain HTTP, for this machine only"
        case .tls: "TLS 1.3 by this process"
        case .behindProxy(let addresses): "TLS ends at a proxy; believed are \(addresses.joined(separator: ", "))"
        }
    }
}
