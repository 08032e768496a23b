internal import Curves
internal import Secrets
internal import Threshold
internal import Wallet

/// A holder between the two rounds of FROST, for all taproot inputs of a transaction.
struct SchnorrTurn: ~Copyable, Sendable {
    /// One for each request, encoded.
    let commitments: [[UInt8]]

    private let requests: [SchnorrRequest]
    private let signers: [ParticipantIndex]
    private let nonces: [OneShot<FROST.BIP340.SigningNonces>]
    private let admission: SecretMemory.Admission?

    /// - Throws: ``ThresholdError/exhausted(_:)``: how many inputs there are, and how many sessions, others decide.
    init(
        _ agreement: SigningHolder.Agreement, share: borrowing KeyShare<Secp256k1>, random: some RandomSource
    ) throws(ThresholdError) {
        admission = agreement.schnorr.isEmpty ? nil : try FROST.admit(signatures: agreement.schnorr.count)
        var nonces: [OneShot<FROST.BIP340.SigningNonces>] = []
        var commitments: [[UInt8]] = []
        for request in agreement.schnorr {
            let fresh = FROST.BIP340.Round1.commit(
                share, to: request.message, in: agreement.session.bytes, random: random)
            commitments.append(fresh.commitment.encoded)
            nonces.append(OneShot(fresh))
        }
        self.commitments = commitments
        self.nonces = nonces
        requests = agreement.schnorr
        signers = agreement.signers
    }

    /// Signs what the packages ask for, if it is what this holder worked out itself.
    ///
    /// - Throws: ``CustodyError/malformedMessage``, ``CustodyError/notWhatWasConfirmed``, ``CustodyError/staleMessage``,
    ///   ``CustodyError/ceremony(_:)``.
    consuming func sign(
        _ packages: [UInt8], share: borrowing KeyShare<Secp256k1>
    ) throws(CustodyError) -> [[UInt8]] {
        let encoded = try MessageList.decode(packages, count: requests.count)
        // All are compared before the first is signed.
        var packages: [FROST.BIP340.SigningPackage] = []
        for (package, own) in zip(encoded, requests) { packages.append(try checked(package, is: own)) }
        var shares: [[UInt8]] = []
        for (package, nonces) in zip(packages, nonces) {
            guard let nonces = nonces.take() else { throw .staleMessage }
            do {
                shares.append(try FROST.BIP340.Round2.sign(package, with: share, nonces: nonces).encoded)
            } catch {
                throw .ceremony(error)
            }
        }
        return shares
    }

    private borrowing func checked(
        _ package: [UInt8], is own: SchnorrRequest
    ) throws(CustodyError) -> FROST.BIP340.SigningPackage {
        let asked: FROST.BIP340.SigningPackage
        do { asked = try FROST.BIP340.SigningPackage(decoding: package) } catch { throw .ceremony(error) }
        guard asked.message == own.message, asked.tweaks == own.tweaks else { throw .notWhatWasConfirmed }
        guard asked.signers == signers else { throw .staleMessage }
        return asked
    }
}
