#if canImport(Glibc)
    internal import Foundation
    internal import Glibc
    internal import Synchronization
    internal import TestSupport

    /// A device on the bus between a program and a TPM: it sees every command and answer, and can change them.
    final class Interposer: Sendable {
        /// What becomes of a command.
        enum Action {
            case forward
            /// Sends other commands first, and drops their answers.
            case forwardAfter([[UInt8]])
            /// Sends this answer in place of the TPM's.
            case answer([UInt8])
            /// Changes the TPM's answer.
            case change(@Sendable ([UInt8]) -> [UInt8])
            /// Never answers.
            case hang
            case close
        }

        private struct State {
            var traffic: [UInt8] = []
            var commands: [UInt32] = []
            var rule: @Sendable (UInt32, _ soFar: [UInt32]) -> Action = { _, _ in .forward }
        }

        private let state = Mutex(State())
        private let folder: TemporaryFolder
        private let listeners: [Int32]

        var address: String { "swtpm:path=\(folder.path)/bus" }
        /// Every byte that was seen.
        var traffic: [UInt8] { state.withLock { $0.traffic } }
        /// The codes of the commands that were seen.
        var commands: [UInt32] { state.withLock { $0.commands } }

        /// Stands before the TPM at a socket.
        init(before target: String) throws {
            folder = try TemporaryFolder()
            let bus = "\(folder.path)/bus"
            listeners = [try Self.listen(at: bus), try Self.listen(at: "\(bus).ctrl")]
            let (data, control) = (listeners[0], listeners[1])
            Thread.detachNewThread {
                while true {
                    let client = accept(control, nil, nil)
                    guard client >= 0 else { return }
                    // The channel sets the locality, which these tests do not need.
                    Thread.detachNewThread { Self.control(client) }
                }
            }
            Thread.detachNewThread { [weak self] in
                while true {
                    let client = accept(data, nil, nil)
                    guard client >= 0, let self else { return }
                    if self.serve(client, target) { Glibc.close(client) }
                }
            }
        }

        deinit { for listener in listeners { shutdown(listener, Int32(SHUT_RDWR)) } }

        /// Sets what becomes of commands, by their codes and their numbers among those of one code, from 0 on.
        func set(_ rule: @escaping @Sendable (UInt32, Int) -> Action) {
            set { code, soFar in rule(code, soFar.dropLast().count { $0 == code }) }
        }

        /// Sets what becomes of commands, by their numbers from 0 on.
        func setByPosition(_ rule: @escaping @Sendable (Int) -> Action) { set { _, soFar in rule(soFar.count - 1) } }

        private func set(_ rule: @escaping @Sendable (UInt32, [UInt32]) -> Action) {
            state.withLock {
                $0.rule = rule
                $0.commands = []
                $0.traffic = []
            }
        }

        /// Serves a connection. - Returns: whether it is over. A client that hangs keeps its connection.
        private func serve(_ client: Int32, _ target: String) -> Bool {
            guard let chip = try? Self.connect(to: target) else { return true }
            defer { Glibc.close(chip) }
            // tpm2-tss makes a connection for each command.
            if let command = Self.message(from: client) {
                let code = Self.number(in: command, at: 6)
                let action = state.withLock { state in
                    state.traffic += command
                    state.commands.append(code)
                    return state.rule(code, state.commands)
                }
                switch action {
                case .close: return true
                case .hang: return false
                case .answer(let bytes): Self.send(bytes, to: client)
                case .forward, .forwardAfter, .change:
                    if case .forwardAfter(let others) = action {
                        for other in others {
                            Self.send(other, to: chip)
                            _ = Self.message(from: chip)
                        }
                    }
                    Self.send(command, to: chip)
                    guard var answer = Self.message(from: chip) else { return true }
                    if case .change(let change) = action { answer = change(answer) }
                    state.withLock { $0.traffic += answer }
                    Self.send(answer, to: client)
                }
            }
            return true
        }

        /// Answers on the control channel: every command succeeds.
        private static func control(_ client: Int32) {
            var bytes = [UInt8](repeating: 0, count: 4096)
            while recv(client, &bytes, bytes.count, 0) > 0 { send([0, 0, 0, 0], to: client) }
            Glibc.close(client)
        }

        private static func number(in message: [UInt8], at offset: Int) -> UInt32 {
            message.dropFirst(offset).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
        }

        /// Reads a command or an answer: its size is in bytes 2 to 5.
        private static func message(from socket: Int32) -> [UInt8]? {
            guard let header = bytes(10, from: socket) else { return nil }
            let size = Int(number(in: header, at: 2))
            guard (10...8192).contains(size), let rest = bytes(size - 10, from: socket) else { return nil }
            return header + rest
        }

        private static func bytes(_ count: Int, from socket: Int32) -> [UInt8]? {
            var bytes = [UInt8](repeating: 0, count: count)
            var filled = 0
            while filled < count {
                let more = bytes.withUnsafeMutableBytes {
                    recv(socket, UnsafeMutableRawBufferPointer(rebasing: $0[filled...]).baseAddress, count - filled, 0)
                }
                guard more > 0 else { return nil }
                filled += more
            }
            return bytes
        }

        private static func send(_ bytes: [UInt8], to socket: Int32) {
            _ = bytes.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        }

        private static func withAddress<Result>(
            _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
        ) -> Result {
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
            return withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
        }

        static func listen(at path: String) throws -> Int32 {
            let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            guard socket >= 0, withAddress(path, { bind(socket, $0, $1) }) == 0, Glibc.listen(socket, 16) == 0
            else { throw Patience.Exhausted(description: "no socket at \(path)") }
            return socket
        }

        private static func connect(to path: String) throws -> Int32 {
            let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            guard socket >= 0, withAddress(path, { Glibc.connect(socket, $0, $1) }) == 0
            else { throw Patience.Exhausted(description: "no TPM at \(path)") }
            return socket
        }
    }

    /// Command codes of TPM 2.0, part 2, section 6.5.2.
    enum Command {
        static let unseal: UInt32 = 0x15e
        static let create: UInt32 = 0x153
        static let shutdown: UInt32 = 0x145
        static let startAuthSession: UInt32 = 0x176

        /// `TPM2_PCR_Extend` of a register with the SHA-256 digest of 32 equal bytes, under the empty password.
        static func extend(_ register: UInt8) -> [UInt8] {
            let session: [UInt8] = [0x40, 0, 0, 9, 0, 0, 0, 0, 0]
            let body =
                [0, 0, 0, register, 0, 0, 0, UInt8(session.count)] + session + [0, 0, 0, 1, 0, 0x0b]
                + [UInt8](repeating: 0x5a, count: 32)
            return [0x80, 0x02, 0, 0, 0, UInt8(10 + body.count), 0, 0, 0x01, 0x82] + body
        }
    }
#endif
