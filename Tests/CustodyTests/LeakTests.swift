#if os(Linux)
    internal import Curves
    internal import Secrets
    internal import SecureStorage
    internal import TestSupport
    internal import Testing
    internal import Threshold
    internal import Wallet

    @testable internal import Custody

    /// The process looks through its own memory for the shares that it had.
    @Suite("Shares in memory", .serialized)
    struct LeakTests {
        /// Random shares of a 2-of-3 key, and what to look for.
        private func deal() throws -> (wallet: WalletRecord, shares: [OneShot<KeyShare<Secp256k1>>], needles: [Needle])
        {
            let parameters = try ThresholdParameters(threshold: 2, total: 3)
            // f(x) = key + slope·x, in guarded memory.
            let key = SecretScalar<Secp256k1>(from: SystemRandom())
            let slope = SecretScalar<Secp256k1>(from: SystemRandom())
            let points = parameters.indices.map { (key + slope * Scalar(UInt64($0.value))).timesGenerator() }
            let group = try GroupKey<Secp256k1>(
                parameters: parameters, publicKey: key.timesGenerator(), verificationShares: points)
            let known = try KnownWallet().record
            let id = WalletRecord.walletID(of: group)
            let wallet = WalletRecord(
                name: known.name, network: known.network, createdAt: 0, epoch: 0, group: group,
                shares: known.shares.map { share in
                    ShareRecord(
                        id: ShareRecord.id(wallet: id, index: share.index, epoch: 0), index: share.index,
                        location: share.location, path: share.path, createdAt: 0, metadata: share.metadata)
                })
            var shares: [OneShot<KeyShare<Secp256k1>>] = []
            var needles: [Needle] = []
            for index in parameters.indices {
                let secret = key + slope * Scalar(UInt64(index.value))
                let share = try KeyShare(index: index, secret: secret, group: group)
                needles.append(Needle(share.secret.encoded()))
                shares.append(OneShot(share))
            }
            return (wallet, shares, needles)
        }

        /// Seals two shares, opens their files, and signs with them: all that a wallet does with a share.
        private func signOnce() async throws -> [Needle] {
            let folder = try TemporaryFolder()
            let (dealt, shares, needles) = try deal()
            let wallet = dealt.with(sharesAt: [.device: "\(folder.path)/device", .backup: "\(folder.path)/backup"])
            let payment = try Payment(from: wallet.account)
            let proposed = try ProposedSpend(try payment.psbt, from: wallet)
            let confirmed = try proposed.confirmed(proposed.summary.intentDigest)
            var holders: [any Holder] = []
            for (location, share) in zip([ShareLocation.device, .backup], shares) {
                guard let share = share.take() else { return needles }
                try SealedShare(share: share, record: wallet).seal(passphrase: secret("p"), random: SystemRandom())
                let sealed = try await SealedShare.open(location, of: wallet, passphrase: secret("p"))
                holders.append(sealed.holder(confirmed: confirmed.digest, random: SystemRandom()))
            }
            let signed = try await confirmed.sign(with: holders, random: SystemRandom())
            #expect(try payment.isSigned(in: signed))
            return needles
        }

        @Test("control: a share that is still held is found, and so is a copy that was left on purpose")
        func control() async throws {
            let (_, shares, needles) = try deal()
            #expect(needles.map { $0.traces() > 0 } == [true, true, true])
            guard let share = shares[0].take() else { return }
            let leak = reveal(share.secret.encoded())
            _ = consume share
            #expect(needles[0].traces() >= 4)
            #expect(leak.count == 32)
        }

        @Test("control: a copy as a number in words, least significant first, is found")
        func words() throws {
            let share = secret(Array(0..<32).map { _ in UInt8.random(in: 1...255) })
            let needle = Needle(share)
            let before = needle.traces()
            let leak = reveal(share).reversed().map { $0 }
            #expect(needle.traces() >= before + 4)
            #expect(leak.count == 32)
        }

        @Test("after two holders have signed and are gone, nothing of any share is in memory")
        func signing() async throws {
            let needles = try await signOnce()
            #expect(needles.map { $0.traces() } == [0, 0, 0])
        }

        @Test("after a key generation whose shares were dropped, nothing of them is in memory")
        func generation() async throws {
            func generate() async throws -> [Needle] {
                let newcomers = try Newcomers(2, of: 3)
                try await newcomers.run()
                var needles: [Needle] = []
                for holder in newcomers.holders {
                    let share = try await holder.takeShare()
                    needles.append(Needle(share.secret.encoded()))
                }
                return needles
            }
            let needles = try await generate()
            #expect(needles.map { $0.traces() } == [0, 0, 0])
        }
    }
#endif
