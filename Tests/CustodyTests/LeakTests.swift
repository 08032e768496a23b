#if os(Linux)
    internal import Curves
    internal import HDKeys
    internal import Secrets
    internal import SecureStorage
    internal import TestSupport
    internal import Testing
    internal import Threshold
    internal import Wallet

    @testable internal import Ceremonies
    @testable internal import CeremoniesTestSupport
    @testable internal import Custody
    @testable internal import CustodyTestSupport
    @testable internal import ThresholdECDSA

    /// The process searches its own memory for shares that it had.
    @Suite("Shares in memory", .serialized)
    struct LeakTests {
        /// Random shares of a 2-of-3 key, and the pieces to search for.
        private func deal<Group: Curve>(
            _: Group.Type = Group.self
        ) throws -> (shares: [OneShot<KeyShare<Group>>], needles: [Needle]) {
            let parameters = try ThresholdParameters(threshold: 2, total: 3)
            // The polynomial f(x) = key + slope·x, in guarded memory.
            let key = SecretScalar<Group>(from: SystemRandom())
            let slope = SecretScalar<Group>(from: SystemRandom())
            let points = parameters.indices.map { (key + slope * Scalar(UInt64($0.value))).timesGenerator() }
            let group = try GroupKey<Group>(
                parameters: parameters, publicKey: key.timesGenerator(), verificationShares: points)
            var shares: [OneShot<KeyShare<Group>>] = []
            var needles: [Needle] = []
            for index in parameters.indices {
                let secret = key + slope * Scalar(UInt64(index.value))
                let share = try KeyShare(index: index, secret: secret, group: group)
                needles.append(Needle(share.secret.encoded()))
                shares.append(OneShot(share))
            }
            return (shares, needles)
        }

        /// Makes a wallet with such shares of all keys.
        private func dealWallet() throws -> (wallet: WalletRecord, shares: [OneShot<KeyShares>], needles: [Needle]) {
            let schnorr = try deal(Secp256k1.self)
            let ecdsa = try deal(Secp256k1.self)
            let ed25519 = try deal(Ed25519.self)
            let setup = [UInt8](repeating: 0, count: 32)
            var wallet: WalletRecord?
            var shares: [OneShot<KeyShares>] = []
            for index in 0..<3 {
                guard let one = schnorr.shares[index].take(), let two = ecdsa.shares[index].take(),
                    let three = ed25519.shares[index].take()
                else { continue }
                let all = try KeyShares(
                    schnorr: one, ecdsa: ECDSA.KeyShare(key: two, epoch: 0, setup: setup, pairs: []), ed25519: three)
                wallet = try wallet ?? .known(all.groups)
                shares.append(OneShot(all))
            }
            return (try #require(wallet), shares, schnorr.needles + ecdsa.needles + ed25519.needles)
        }

        /// Seals two shares, opens their files, and signs with them: every use of a share in a wallet.
        private func signOnce() async throws -> [Needle] {
            let folder = try TemporaryFolder()
            let (dealt, shares, needles) = try dealWallet()
            let wallet = dealt.with(sharesAt: [.device: "\(folder.path)/device", .backup: "\(folder.path)/backup"])
            let payment = try Payment(from: wallet.account)
            let proposed = try ProposedPayload(try payment.psbt, from: wallet)
            let confirmed = try proposed.confirmed(proposed.intent.digest, accepting: [])
            var participants: [any Participant] = []
            for (location, share) in zip([ShareLocation.device, .backup], shares) {
                guard let share = share.take() else { return needles }
                try SealedShare(keys: share, record: wallet).seal(passphrase: secret("p"), random: SystemRandom())
                let sealed = try await SealedShare.open(location, of: wallet, passphrase: secret("p"))
                participants.append(
                    sealed.participant(
                        confirmed: confirmed.digest, authorizer: PolicyAuthorizer(now: 0), ledger: nil,
                        random: SystemRandom()))
            }
            let signed = try await confirmed.sign(with: participants, random: SystemRandom()).psbt
            #expect(try payment.isSigned(in: signed))
            return needles
        }

        @Test("control: a live share is found, and so is a copy that was left on purpose")
        func control() async throws {
            let (shares, needles) = try deal(Secp256k1.self)
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

        @Test("after two participants have signed and are destroyed, no part of a share is in memory")
        func signing() async throws {
            let needles = try await signOnce()
            #expect(needles.allSatisfy { $0.traces() == 0 } && needles.count == 9)
        }

        @Test(
            "once the keys of an import are dealt, nothing of them is in memory, though the participants are there yet")
        func importing() async throws {
            func deal() throws -> (importers: Importers, needles: [Needle]) {
                let seed = SecretBytes(count: 64, from: SystemRandom())
                let keys = try ImportedPrivateKeys(seed: seed, for: .bitcoin, account: 0, on: .regtest)
                var needles = [Needle(keys.ecdsa.encoded())]
                switch keys.schnorr {
                case .some(let key): needles.append(Needle(key.encoded()))
                case .none: break
                }
                return (try Importers(keys), needles)
            }
            let (importers, needles) = try deal()
            #expect(needles.count == 2 && needles.allSatisfy { $0.traces() > 0 })
            try await importers.run()
            #expect(needles.allSatisfy { $0.traces() == 0 })
            #expect(await importers.shares().count == 3)
        }

        @Test("a participant that is asked for its shares too early keeps no key that it was to deal")
        func early() async throws {
            func deal() throws -> (importers: Importers, needle: Needle) {
                let seed = SecretBytes(count: 64, from: SystemRandom())
                let keys = try ImportedPrivateKeys(seed: seed, for: .bitcoin, account: 0, on: .regtest)
                let needle = Needle(keys.ecdsa.encoded())
                return (try Importers(keys), needle)
            }
            let (importers, needle) = try deal()
            #expect(needle.traces() > 0)
            await #expect(throws: CeremonyError.staleMessage) { _ = try await importers.participants[0].takeShares() }
            #expect(needle.traces() == 0)
            // It answers nothing any more, and there is nothing left to give up.
            for kind in [CeremonyMessage.Kind.sharingRequest, .abort] {
                let message = CeremonyMessage(
                    kind: kind, sender: CeremonyMessage.coordinator, session: CeremonyID(from: SystemRandom()),
                    payload: [])
                await #expect(throws: CeremonyError.staleMessage) {
                    _ = try await importers.participants[0].answer(message.encoded)
                }
            }
        }

        @Test("after a key generation whose shares were dropped, no part of them is in memory")
        func generation() async throws {
            func generate() async throws -> [Needle] {
                let newcomers = try Newcomers(2, of: 3)
                try await newcomers.run()
                var needles: [Needle] = []
                for participant in newcomers.participants {
                    let shares = try await participant.takeShares()
                    needles.append(Needle(shares.schnorr.secret.encoded()))
                    needles.append(Needle(shares.ecdsa.key.secret.encoded()))
                    needles.append(Needle(shares.ed25519.secret.encoded()))
                }
                return needles
            }
            let needles = try await generate()
            #expect(needles.allSatisfy { $0.traces() == 0 } && needles.count == 9)
        }
    }
#endif
