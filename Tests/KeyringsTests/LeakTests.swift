#if os(Linux)
    internal import SecretStoreTestSupport
    internal import Secrets
    internal import SecureStorage
    internal import TestSupport
    internal import Testing

    @testable internal import Keyrings

    /// Searches this process's memory for what saving and loading leaves behind.
    @Suite("Keyrings: leaks", .serialized)
    struct LeakTests {
        private let item = ItemAttributes.sensitive(.accessToken)

        @Test("control: the search finds an envelope's text that is left on purpose")
        func control() throws {
            let secret = Needle()
            let text = textNeedle(secret.secret())
            #expect(secret.traces() == 0)
            #expect(text.traces() == 0)
            let copy = ItemEnvelope(secret.secret(), as: try name("leak"), attributes: item).text
                .withUnsafeBytes { Array($0) }
            #expect(text.traces() > 0)
            #expect(!copy.isEmpty)
        }

        @Test(
            "saving to the Secret Service and loading leaves neither the secret nor its text in this process",
            .enabled(if: Peer.secretService.isExpected, "\(Peer.secretService.absence)"))
        func secretService() async throws {
            let desktop = try await Desktop(.gnomeKeyring)
            defer { withExtendedLifetime(desktop) {} }
            try await check(desktop.store())
        }

        @Test(
            "saving to the kernel's keyring and loading leaves no copy of the secret in this process",
            .enabled(if: KernelRig.isExpected, "\(KernelRig.absence)"))
        func kernelKeyring() async throws {
            let rig = KernelRig()
            defer { withExtendedLifetime(rig) {} }
            try await check(rig.store())
        }

        private func check(_ store: some SecretStore) async throws {
            let needle = Needle()
            let text = textNeedle(needle.secret())
            for _ in 0..<3 {
                try await store.save(needle.secret(), as: try name("leak"), attributes: item)
                let loaded = try await store.load(try name("leak"))
                let isSame = loaded?.matches(needle.secret()) ?? false
                #expect(isSame)
            }
            #expect(needle.traces() == 0)
            #expect(text.traces() == 0)
        }

        /// Returns a needle of the characters in the middle of the envelope's text, which are those of the secret alone.
        private func textNeedle(_ secret: consuming SecretBytes) -> Needle {
            guard let name = try? name("leak") else { preconditionFailure("a valid name") }
            // magic, version, attributes, names, size: 8 + 1 + 4 + 5 + 5 + 4 bytes. The next multiple of three is 27.
            let text = ItemEnvelope(secret, as: name, attributes: item).text
            return Needle(text.part(36, 32))
        }
    }
#endif
