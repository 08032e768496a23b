internal import Curves
internal import Secrets
internal import Threshold

/// A participant's state between the two rounds of FROST, for all taproot inputs of a transaction.
struct SchnorrParticipantState: ~Copyable, Sendable {
    /// One commitment for each request.
    let commitments: [FROST.BIP340.Commitment]

    private let requests: [SchnorrRequest]
    private let signers: [ParticipantIndex]
    private let nonces: [OneShot<FROST.BIP340.SigningNonces>]
    private let admission: SecretMemory.Admission?

    /// - Throws: ``ThresholdError/exhausted(_:)``: others decide how many inputs and sessions there are.
    init(
        _ agreement: SigningParticipant.Agreement, share: borrowing KeyShare<Secp256k1>, random: some RandomSource
    ) throws(ThresholdError) {
        admission = agreement.schnorr.isEmpty ? nil : try FROST.admit(signatures: agreement.schnorr.count)
        var nonces: [OneShot<FROST.BIP340.SigningNonces>] = []
        var commitments: [FROST.BIP340.Commitment] = []
        for request in agreement.schnorr {
            let fresh = FROST.BIP340.Round1.commit(
                share, to: request.message, in: agreement.session.bytes, random: random)
            commitments.append(fresh.commitment)
            nonces.append(OneShot(fresh))
        }
        self.commitments = commitments
        self.nonces = nonces
        requests = agreement.schnorr
        signers = agreement.signers
    }

    /// Packages that match what this participant computed itself, and contain its own commitments.
    struct Request: Sendable {
        fileprivate let packages: [FROST.BIP340.SigningPackage]
    }

    /// Reads the packages, and compares all of them with what this participant computed itself, without changing the
    /// state.
    ///
    /// - Throws: ``CeremonyError/malformedMessage``, ``CeremonyError/notWhatWasConfirmed``, ``CeremonyError/staleMessage``,
    ///   ``CeremonyError/threshold(_:)``: the right packages may still come.
    borrowing func read(
        _ payload: [UInt8], share: borrowing KeyShare<Secp256k1>
    ) throws(CeremonyError) -> Request {
        let encoded = try MessageList.decode(payload, count: requests.count)
        var packages: [FROST.BIP340.SigningPackage] = []
        for (number, package) in encoded.enumerated() {
            packages.append(try checked(package, number: number, share: share))
        }
        return Request(packages: packages)
    }

    /// Signs the packages.
    ///
    /// - Throws: ``CeremonyError/threshold(_:)``: the session is over.
    consuming func sign(
        _ request: Request, share: borrowing KeyShare<Secp256k1>
    ) throws(CeremonyError) -> [[UInt8]] {
        var shares: [[UInt8]] = []
        for (package, nonces) in zip(request.packages, nonces) {
            guard let nonces = nonces.take() else { throw .staleMessage }
            do {
                shares.append(try FROST.BIP340.Round2.sign(package, with: share, nonces: nonces).encoded)
            } catch {
                throw .threshold(error)
            }
        }
        return shares
    }

    private borrowing func checked(
        _ package: [UInt8], number: Int, share: borrowing KeyShare<Secp256k1>
    ) throws(CeremonyError) -> FROST.BIP340.SigningPackage {
        let own = requests[number]
        let asked: FROST.BIP340.SigningPackage
        do {
            asked = try FROST.BIP340.SigningPackage(decoding: package, own: commitments[number])
        } catch .unknownParticipant(share.index) {
            // The signers are not this session's.
            throw .staleMessage
        } catch {
            throw .threshold(error)
        }
        guard asked.message == own.message, asked.tweaks == own.tweaks else { throw .notWhatWasConfirmed }
        guard asked.signers == signers else { throw .staleMessage }
        guard asked.fingerprint == share.group.fingerprint else { throw .threshold(.wrongGroup) }
        return asked
    }
}
