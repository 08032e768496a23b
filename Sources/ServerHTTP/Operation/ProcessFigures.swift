internal import Time

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The system's figures of this process, under the names that Prometheus' client libraries use.
package enum ProcessFigures {
    package static func register(in metrics: Metrics) {
        let start = Double(Timestamp.now().milliseconds) / 1000
        metrics.gauge("process_start_time_seconds", "When the server started, in seconds since 1970.") { start }
        metrics.counter("process_cpu_seconds_total", "The processor time that the server has used.") {
            var time = timespec()
            guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return nil }
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        registerFilesAndMemory(in: metrics)
    }
}
