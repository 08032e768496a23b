#if canImport(Darwin)
    extension ProcessFigures {
        /// Registers nothing: servers run on Linux, and macOS is for development.
        static func registerFilesAndMemory(in metrics: Metrics) {}
    }
#endif
