#if canImport(Glibc)
    internal import CTPM
    internal import SecureStorage
    internal import Synchronization

    /// The functions of tpm2-tss, once they are loaded.
    struct TSS: @unchecked Sendable {
        // `@unchecked`: the functions do not change after they were loaded.
        let functions: UnsafePointer<ctpm_functions>

        /// The names of the libraries' files.
        struct Libraries: Hashable, Sendable {
            var esys = "libtss2-esys.so.0"
            var tctildr = "libtss2-tctildr.so.0"
            var mu = "libtss2-mu.so.0"
        }

        private static let loaded = Mutex<[Libraries: TSS]>([:])

        /// Loads the libraries, or returns those that were loaded before.
        ///
        /// - Throws: ``BackendFault/Unavailability/library(_:)``.
        static func load(_ libraries: Libraries) throws(SecureStorageError) -> TSS {
            let (tss, missing) = loaded.withLock { loaded -> (TSS?, String) in
                if let tss = loaded[libraries] { return (tss, "") }
                var missing: UnsafePointer<CChar>?
                let (functions, name) = libraries.esys.withCString { esys in
                    libraries.tctildr.withCString { tctildr in
                        libraries.mu.withCString { mu in
                            let functions = ctpm_load(esys, tctildr, mu, &missing)
                            return (functions, missing.map { String(cString: $0) } ?? "")
                        }
                    }
                }
                guard let functions else { return (nil, name) }
                let tss = TSS(functions: functions)
                loaded[libraries] = tss
                return (tss, "")
            }
            guard let tss else { throw .tpm(.unavailable(.library(missing))) }
            return tss
        }

        /// Whether a library can be loaded.
        static func has(_ library: String) -> Bool { ctpm_can_load(library) != 0 }
    }

    extension SecureStorageError {
        static func tpm(_ fault: BackendFault) -> SecureStorageError { .backend(.tpm, fault) }
    }
#endif
