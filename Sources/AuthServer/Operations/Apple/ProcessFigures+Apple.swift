#if canImport(Darwin)
    extension ProcessFigures {
        /// Nothing: servers run on Linux, and macOS is for development.
        static func registerFilesAndMemory(in metrics: Metrics) {}
    }
#endif
