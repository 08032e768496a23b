internal import Bitcoin
internal import HDKeys
import Threshold
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import Custody

extension KnownWallet {
    var record: WalletRecord { .described(keys, epoch: epoch) }

    /// - Parameter other: the description sealed beside the shares, if it is not this wallet's.
    func sealed(_ index: Int, beside other: WalletRecord? = nil) throws -> SealedShare {
        SealedShare(keys: try shares(index), record: other ?? record)
    }
}

extension MadeWallet {
    var record: WalletRecord { .described(keys, epoch: epoch) }
}

extension WalletRecord {
    /// Returns the description of a wallet with known name and places.
    static func known(
        _ keys: GroupKeys, network: Network = .regtest, epoch: Int = 0, imported: ImportedPublicKeys? = nil
    ) throws -> WalletRecord {
        let walletID = walletID(of: keys, imported: imported)
        let parameters = keys.parameters
        return WalletRecord(
            name: try WalletName("known"), network: network, createdAt: 1_700_000_000, epoch: epoch, keys: keys,
            imported: imported,
            shares: parameters.indices.map { index in
                let location = ShareLocation(index: index.value)
                return ShareRecord(
                    id: ShareRecord.id(wallet: walletID, index: index.value, epoch: epoch), index: index.value,
                    location: location, path: "/shares/\(location.name).vault", createdAt: 1_700_000_000,
                    metadata: ShareRecord.Metadata(
                        threshold: parameters.threshold, total: parameters.total, purposes: WalletKeyPurpose.allCases,
                        epoch: epoch), device: nil)
            })
    }

    /// Returns the description of a wallet that a test has.
    fileprivate static func described(_ keys: WalletKeys, epoch: Int) -> WalletRecord {
        guard let record = try? known(keys.groups, network: keys.network, epoch: epoch, imported: keys.imported) else {
            preconditionFailure("the name is one")
        }
        return record
    }

    /// Returns a confirmed payment from several outputs of each kind.
    func spend(taproot: Int, segwit: Int) throws -> ConfirmedPayload {
        try walletKeys.spend(taproot: taproot, segwit: segwit)
    }
}

extension ProposedPayload {
    /// A Bitcoin transaction known only by its bytes.
    init(_ psbt: PSBT, from wallet: WalletRecord) throws(CeremonyError) {
        try self.init(.bitcoinTransaction(psbt), from: wallet.walletKeys)
    }

    /// A payload known only by its bytes.
    init(
        _ payload: SigningPayload, from wallet: WalletRecord, under policy: Policy = .standard
    ) throws(CeremonyError) {
        try self.init(payload, from: wallet.walletKeys, under: policy)
    }
}

/// Returns the error of an asynchronous call.
func failure<Value>(_ body: () async throws(CustodyError) -> Value) async -> CustodyError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}

/// Returns the error of a ceremony's call, as this library reports it.
func custodyFailure<Value>(_ body: () async throws(CeremonyError) -> Value) async -> CustodyError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return CustodyError(error)
    }
}
