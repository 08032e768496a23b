#if canImport(Darwin)
    extension ProcessFigures {
        /// Registers nothing: servers run on Linux, and macOS is for development.
        package static func registerFilesAndMemory(in metrics: Metrics) {}
    }
#endif
