internal import TestSupport
internal import Testing

#if os(Linux)
    /// A faulty libsecp256k1 ends the program at its first use. One function is replaced by means of the dynamic
    /// linker.
    @Suite("A faulty library")
    struct ForeignLibraryTests {
        private static let wrongs = [
            "int secp256k1_ecdsa_verify(void) { return 1; }",
            "int secp256k1_ecdsa_verify(void) { return 0; }",
            "int secp256k1_schnorrsig_verify(void) { return 1; }",
            "int secp256k1_schnorrsig_verify(void) { return 0; }",
            // Leaves the point unchanged.
            "int secp256k1_ec_pubkey_tweak_mul(void) { return 1; }",
            // Leaves the product unchanged, which is empty.
            "int secp256k1_ecdh(void) { return 1; }",
        ]

        @Test("one wrong function ends the program, with the reason", arguments: wrongs)
        func wrong(source: String) throws {
            let outcome = try Self.inspection(with: source)
            #expect(outcome.status < 0, "ended by a signal")
            #expect(outcome.errors.contains("libsecp256k1 computes wrongly"))
        }

        @Test("control: with an additional unused function the program works")
        func control() throws {
            let outcome = try Self.inspection(with: "int secp256k1_nobody_calls_this(void) { return 1; }")
            #expect(outcome.status == 2 && outcome.output.hasPrefix("invalid"), "\(outcome.errors)")
        }

        /// Verifies a message, which uses a point of the curve.
        private static func inspection(with source: String) throws -> Program.Outcome {
            let folder = try TemporaryFolder()
            try folder.write(source, to: "wrong.c")
            _ = try Program.output(
                "/usr/bin/env",
                ["clang", "-shared", "-fPIC", "-w", "-o", "\(folder.path)/wrong.so", "\(folder.path)/wrong.c"])
            return try Program.run(
                "\(FuekiCommand.binaries)/fueki",
                [
                    "verify-message", "--text", "", "--address", "0x7e5f4552091a69125d5dfcb7b8c2659029395bdf",
                    "--signature", "0x" + String(repeating: "11", count: 64) + "1b",
                ], environment: ["LD_PRELOAD": "\(folder.path)/wrong.so"])
        }
    }
#endif
