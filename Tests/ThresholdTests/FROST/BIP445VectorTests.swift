import Curves
import Secrets
import TestSupport
import Testing
import Threshold
import ThresholdTestSupport

/// All published vectors of BIP-445.
///
/// The BIP's functions take a signers context with each call. The library checks it once, when a `GroupKey` is made, so
/// a vector's context is first made into a group; where the vectors expect a context to be refused, the group refuses
/// it.
@Suite("FROST: BIP-445 vectors")
struct BIP445VectorTests {
    struct Case: Decodable {
        let my_id: Int?
        let ids: [Int]
        let pubshare_indices: [Int]
        let pubnonce_indices: [Int]?
        let secshare_index: Int?
        let secnonce_index: Int?
        let signer_index: Int?
        let aggnonce: String?
        let msg: String
        let tweaks: [String]?
        let tweak_indices: [Int]?
        let is_xonly: [Bool]?
        let psig: String?
        let psigs: [String]?
        let expected: String?
        /// The expected error, as a code.
        let error: String?

        var expectedBytes: [UInt8] { expected.map { hex($0) } ?? [] }
    }

    struct Group: Decodable {
        let name: String
        let t: Int
        let n: Int
        let thresh_pk: String
        let pubshares: [String]
        let pubnonces: [String]?
        let secshares: [String]?
        let secnonces: [String]?
        let tweaks: [String]?
        let valid_tests: [Case]
        let error_tests: [Case]?
        let sign_error_tests: [Case]?
        let verify_fail_tests: [Case]?
        let verify_error_tests: [Case]?

        func point(_ bytes: some Collection<UInt8>) throws(ThresholdError) -> Secp256k1.Point {
            do { return try Secp256k1.Point(encoded: bytes) } catch { throw .invalidElement }
        }

        func index(_ id: Int) -> ParticipantIndex { ParticipantIndex(unchecked: id + 1) }

        /// ValidateSignersCtx: the group's own shares, with those of the case in their places.
        func context(_ test: Case) throws -> GroupKey<Secp256k1> {
            var shares = try pubshares[..<n].map { try point(hex($0)) }
            for (id, pubshare) in zip(test.ids, test.pubshare_indices) {
                let share = try point(hex(pubshares[pubshare]))
                if id < n { shares[id] = share }
            }
            let parameters = ThresholdParameters(uncheckedThreshold: t, total: n)
            let group = try GroupKey<Secp256k1>(
                parameters: parameters, publicKey: point(hex(thresh_pk)), verificationShares: shares)
            try parameters.check(signers: test.ids.map(index))
            return group
        }

        func share(_ test: Case, _ group: GroupKey<Secp256k1>) throws -> KeyShare<Secp256k1> {
            let own = try #require(test.my_id.map(index))
            let secret: SecretScalar<Secp256k1>
            do {
                secret = try scalar(try #require(secshares)[try #require(test.secshare_index)])
            } catch is CurvesError { throw ThresholdError.invalidElement }
            return try KeyShare(index: own, secret: secret, group: group)
        }

        func nonces(_ test: Case) throws -> FROST.BIP340.SigningNonces {
            let bytes = Array(hex(try #require(secnonces)[try #require(test.secnonce_index)]))
            do {
                return try FROST.BIP340.SigningNonces(
                    forTestingIndex: try #require(test.my_id.map(index)),
                    hiding: SecretScalar(canonical: secret(Array(bytes[..<32]))),
                    binding: SecretScalar(canonical: secret(Array(bytes[32...]))))
            } catch is CurvesError { throw ThresholdError.invalidElement }
        }

        func commitments(_ test: Case) throws -> [FROST.BIP340.Commitment] {
            try zip(test.ids, try #require(test.pubnonce_indices)).map { id, nonce in
                let bytes = hex(try #require(pubnonces)[nonce])
                return FROST.BIP340.Commitment(
                    index: index(id), hiding: try point(bytes[..<33]), binding: try point(bytes[33...]))
            }
        }

        func tweaks(_ test: Case) throws -> [FROST.BIP340.Tweak] {
            let encoded = try test.tweaks ?? (test.tweak_indices ?? []).map { try #require(tweaks)[$0] }
            let modes = test.is_xonly ?? []
            // A list of tweaks, each with its mode: the library's types exclude lists of different lengths.
            guard encoded.count == modes.count else { throw ThresholdError.invalidTweak }
            return try zip(encoded, modes).map { encoded, isXOnly in
                do {
                    let scalar = try Scalar<Secp256k1>(canonical: hex(encoded))
                    return isXOnly ? .xOnly(scalar) : .plain(scalar)
                } catch { throw ThresholdError.invalidElement }
            }
        }

        func session(_ test: Case, _ group: GroupKey<Secp256k1>) throws -> FROST.BIP340.Session {
            try FROST.BIP340.Session(
                signers: test.ids.map(index),
                nonces: FROST.BIP340.AggregateNonce(decoding: hex(try #require(test.aggnonce))),
                key: FROST.BIP340.TweakedKey(group.publicKey, tweaks: tweaks(test)), message: hex(test.msg))
        }

        func sign(_ test: Case) throws -> FROST.BIP340.SignatureShare {
            let group = try context(test)
            let share = try share(test, group)
            // In production `CommitmentList.check(holds:)`, which needs the commitments that a vector of `sign` leaves out.
            guard test.ids.contains(share.index.value - 1) else {
                throw ThresholdError.unknownParticipant(share.index)
            }
            let session = try session(test, group)
            return session.sign(with: share, nonces: try nonces(test))
        }
    }

    /// Returns the groups of a file that has so many cases.
    static func groups(_ name: String, of count: Int) throws -> [Group] {
        let groups = try Vectors.json("bip445/\(name)", as: [Group].self)
        let lists = groups.flatMap { group in
            [group.valid_tests]
                + [
                    group.error_tests, group.sign_error_tests, group.verify_fail_tests, group.verify_error_tests,
                ].compactMap { $0 }
        }
        #expect(groups.count == 4 && lists.map(\.count).reduce(0, +) == count)
        return groups
    }

    /// Returns whether the library's error is the expected one.
    static func isRight(_ error: ThresholdError, for code: String) -> Bool {
        switch (code, error) {
        case ("signer_not_listed", .unknownParticipant),
            // These cases also give the signer another's share, which is detected first.
            ("signer_not_listed", .inconsistentKey),
            ("duplicate_signer", .duplicateParticipant),
            ("other_public_share", .inconsistentKey),
            ("inconsistent_key", .inconsistentKey),
            ("number_of_signers", .tooFewSigners),
            ("secret_share", .inconsistentKey), ("secret_share", .invalidElement),
            ("secret_nonce", .invalidElement),
            ("tweak_value", .invalidElement),
            ("tweaked_to_infinity", .invalidTweak),
            ("number_of_tweaks", .invalidTweak),
            ("number_of_shares", .missingParticipant),
            ("aggregate_nonce", .invalidElement), ("public_nonce", .invalidElement),
            ("signature_share", .invalidElement),
            ("public_share", .invalidElement),
            ("unknown_signer", .unknownParticipant):
            true
        default: false
        }
    }

    func refuses(_ test: Case, _ number: Int, _ group: Group, _ body: () throws -> Void) throws {
        let code = try #require(test.error)
        do {
            try body()
            Issue.record("\(group.name), error \(number): \(code): accepted")
        } catch let error as ThresholdError {
            #expect(Self.isRight(error, for: code), "\(group.name), error \(number): \(code): \(error)")
        }
    }

    func refuse(_ tests: [Case]?, _ group: Group, _ body: (Case) throws -> Void) throws {
        for (number, test) in try #require(tests).enumerated() { try refuses(test, number, group) { try body(test) } }
    }

    @Test("nonce_gen: all vectors")
    func nonceGeneration() throws {
        struct NonceCase: Decodable {
            let rand_: String, secshare: String?, pubshare: String?, thresh_pk: String?, msg: String?, extra_in: String?
            let expected: [String]
        }
        let cases = try Vectors.json("bip445/nonce_gen", as: [NonceCase].self)
        #expect(cases.count == 5)
        for test in cases {
            let random = hex(test.rand_)
            let seed =
                if let share = test.secshare {
                    FROST.BIP340.seed(secret: try scalar(share)) { $0.copyBytes(from: random) }
                } else { secret(random) }
            let nonces = FROST.BIP340.nonces(
                index: try ParticipantIndex(1), seed: seed,
                context: FROST.BIP340.NonceContext(
                    publicShare: hex(test.pubshare ?? ""), xOnlyKey: hex(test.thresh_pk ?? ""),
                    message: test.msg.map { hex($0) }, extra: hex(test.extra_in ?? "")))
            #expect(nonces.commitment.hiding.encoded + nonces.commitment.binding.encoded == hex(test.expected[1]))
            // The secret half is checked by its public half: k·G is what we send.
            let secrets = hex(test.expected[0])
            for (bytes, point) in [
                (secrets[..<32], nonces.commitment.hiding), (secrets[32..<64], nonces.commitment.binding),
            ] {
                let scalar = try Scalar<Secp256k1>(canonical: bytes)
                #expect(Secp256k1.Point.generator.multipliedVariableTime(by: scalar) == point)
            }
        }
    }

    @Test("nonce_agg: all vectors")
    func nonceAggregation() throws {
        struct AggregateCase: Decodable { let pubnonce_indices: [Int], expected: String? }
        struct AggregateFile: Decodable {
            let pubnonces: [String], valid_tests: [AggregateCase], error_tests: [AggregateCase]
        }
        let file = try Vectors.json("bip445/nonce_agg", as: AggregateFile.self)
        func aggregate(_ test: AggregateCase) throws -> [UInt8] {
            let commitments = try test.pubnonce_indices.enumerated().map { position, index in
                // As a message on the wire: version, kind, curve, index, and the two points.
                let index2 = UInt8(position + 1)
                return try FROST.BIP340.Commitment(decoding: [1, 0x10, 1, index2] + hex(file.pubnonces[index]))
            }
            return FROST.BIP340.AggregateNonce(commitments).encoded
        }
        #expect(file.valid_tests.count == 2 && file.error_tests.count == 3)
        for test in file.valid_tests { #expect(try aggregate(test) == hex(try #require(test.expected))) }
        for test in file.error_tests {
            #expect(throws: ThresholdError.invalidElement) { try aggregate(test) }
        }
    }

    @Test("sign_verify: all vectors")
    func signAndVerify() throws {
        for group in try Self.groups("sign_verify", of: 93) {
            for test in group.valid_tests {
                let share = try group.sign(test)
                #expect(share.value.encoded == test.expectedBytes, "\(group.name): \(test.msg)")
                #expect(try verifies(share, test, group), "\(group.name): \(test.msg)")
            }
            try refuse(group.sign_error_tests, group) { _ = try group.sign($0) }
            for test in try #require(group.verify_fail_tests) {
                let signer = group.index(test.ids[try #require(test.signer_index)])
                guard let value = try? Scalar<Secp256k1>(canonical: hex(try #require(test.psig))) else { continue }
                let share = FROST.BIP340.SignatureShare(index: signer, value: value)
                #expect(try !verifies(share, test, group), "\(group.name): \(test.msg)")
            }
            try refuse(group.verify_error_tests, group) { test in
                let signer = group.index(test.ids[try #require(test.signer_index)])
                let encoded = hex(try #require(test.psig))
                let value = try #require(try? Scalar<Secp256k1>(canonical: encoded))
                _ = try verifies(FROST.BIP340.SignatureShare(index: signer, value: value), test, group)
            }
        }
    }

    /// PartialSigVerify, with the commitments of the case.
    func verifies(_ share: FROST.BIP340.SignatureShare, _ test: Case, _ group: Group) throws -> Bool {
        let key = try group.context(test)
        let commitments = try group.commitments(test)
        let nonces = FROST.BIP340.AggregateNonce(commitments)
        if let aggregate = test.aggnonce { #expect(nonces.encoded == hex(aggregate)) }
        let session = FROST.BIP340.Session(
            signers: commitments.map(\.index), nonces: nonces,
            key: try FROST.BIP340.TweakedKey(key.publicKey, tweaks: group.tweaks(test)), message: hex(test.msg))
        let commitment = try #require(commitments.first { $0.index == share.index })
        return session.isValid(
            share, commitment: commitment, verificationShare: try key.verificationShare(of: share.index))
    }

    @Test("tweak: all vectors")
    func tweaks() throws {
        for group in try Self.groups("tweak", of: 44) {
            for test in group.valid_tests {
                let share = try group.sign(test)
                #expect(share.value.encoded == test.expectedBytes, "\(group.name): \(test.msg)")
                #expect(try verifies(share, test, group), "\(group.name): \(test.msg)")
            }
            try refuse(group.error_tests, group) { _ = try group.sign($0) }
        }
    }

    @Test("sig_agg: all vectors")
    func aggregation() throws {
        for group in try Self.groups("sig_agg", of: 22) {
            func aggregate(_ test: Case) throws -> (signature: [UInt8], session: FROST.BIP340.Session) {
                let session = try group.session(test, try group.context(test))
                let shares = try zip(test.ids, try #require(test.psigs)).map { id, psig in
                    // As a message on the wire.
                    try FROST.BIP340.SignatureShare(decoding: [1, 0x12, 1, UInt8(id + 1)] + hex(psig))
                }
                let sum = try FROST.BIP340.SignatureShare.sum(shares, of: test.ids.map(group.index))
                return (session.signature(sum: sum), session)
            }
            for test in group.valid_tests {
                let (signature, session) = try aggregate(test)
                #expect(signature == test.expectedBytes, "\(group.name): \(test.msg)")
                #expect(
                    BIP340.isValid(signature: signature, message: hex(test.msg), publicKey: session.key.xOnly))
            }
            try refuse(group.error_tests, group) { _ = try aggregate($0) }
        }
    }
}
