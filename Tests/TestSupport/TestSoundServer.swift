// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// A sound server of a test's own, without a card, in a folder of its own; it ends with this object.
public final class TestSoundServer {
  /// Which one.
  public enum Kind: String, CaseIterable, Sendable {
    case jack, pipewire
  }

  /// Whether both, and the tools that judge, are installed (`make setup-test`).
  public static let isInstalled = [
    "jackd", "jack_rec", "jack_lsp", "jack_iodelay", "jack_latent_client", "jack_mclk_dump",
    "pipewire",
    "pw-metadata",
  ].allSatisfy { FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)") }

  /// What leads its clients to it, and to no other.
  public let environment: [String: String?]
  private let kind: Kind
  private let place: Place
  private let folder = URL(fileURLWithPath: "/tmp/downbeat-\(UUID().uuidString.prefix(8))")
  private let words: [String]
  private var child: Child?

  /// Starts a server and waits until it takes clients.
  ///
  /// - Parameters:
  ///   - kind: which.
  ///   - rate: frames a second.
  ///   - period: the frames of a turn.
  ///   - channels: what JACK's card has to play to, and to record.
  ///   - isPatient: whether JACK waits for each client's turn, so that on a busy machine it is late and
  ///     none is left out.
  /// - Throws: where it does not start.
  public init(
    _ kind: Kind, rate: Int = 48_000, period: Int = 1_024, channels: Int = 2,
    isPatient: Bool = false
  ) async throws {
    self.kind = kind
    place = try Place()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var environment: [String: String?] = [
      "JACK_DEFAULT_SERVER": place.name, "XDG_RUNTIME_DIR": folder.path,
      "JACK_NO_AUDIO_RESERVATION": "1",
      "PIPEWIRE_RUNTIME_DIR": nil, "PIPEWIRE_REMOTE": nil, "DBUS_SESSION_BUS_ADDRESS": nil,
    ]
    if kind == .pipewire {
      environment["LD_LIBRARY_PATH"] = Self.folderOfPipeWire
      words = ["/usr/bin/pipewire"]
    } else {
      words =
        [
          "/usr/bin/jackd", "-r", "-n", place.name,
        ] + (isPatient ? ["-S", "-t", "5000"] : []) + [
          "-d", "dummy", "-r", "\(rate)", "-p", "\(period)", "-P", "\(channels)", "-C",
          "\(channels)",
        ]
    }
    self.environment = environment
    try await start()
    guard kind == .pipewire else { return }
    _ = try run(
      """
      pw-metadata -n settings 0 clock.force-rate \(rate)
      pw-metadata -n settings 0 clock.force-quantum \(period)
      """)
  }

  deinit {
    end(by: SIGTERM)
    clean()
    try? FileManager.default.removeItem(at: folder)
  }

  /// A name that no other test's server has meanwhile.
  ///
  /// JACK keeps a list of eight servers for the whole machine. One that was killed stays in it until
  /// another of its name starts, so there are few names, and each is used again.
  private struct Place: ~Copyable {
    let name: String
    private let lock: Int32

    init() throws {
      for number in 0..<4 {
        let name = "downbeat-test-\(number)"
        let lock = unsafe open("/tmp/\(name).lock", O_CREAT | O_RDWR | O_CLOEXEC, 0o666)
        guard lock >= 0 else { continue }
        if flock(lock, LOCK_EX | LOCK_NB) == 0 {
          (self.name, self.lock) = (name, lock)
          return
        }
        close(lock)
      }
      throw Child.Failure(description: "four servers of tests run already")
    }

    deinit { close(lock) }
  }

  private static let folderOfPipeWire: String? = {
    let folders = ["x86_64-linux-gnu", "aarch64-linux-gnu"].map {
      "/usr/lib/\($0)/pipewire-0.3/jack"
    }
    return folders.first { FileManager.default.fileExists(atPath: $0) }
  }()

  /// Starts it, or starts it again; a server that does not come up is started three times.
  public func start() async throws {
    for _ in 1..<3 {
      if try await comesUp() { return }
      end(by: SIGKILL)
    }
    guard try await !comesUp() else { return }
    let words = try String(decoding: FileContent.data(output), as: UTF8.self)
    throw Child.Failure(description: "\(self.words[0]) did not start: \(words.suffix(400))")
  }

  /// The file of what it prints.
  private var output: String { folder.appendingPathComponent("output").path }

  /// Starts it; returns whether it takes clients.
  private func comesUp() async throws -> Bool {
    var variables = ProcessInfo.processInfo.environment
    for (name, value) in environment { variables[name] = value }
    _ = FileManager.default.createFile(atPath: output, contents: nil)
    child = try Child(
      words[0], Array(words.dropFirst()), variables: variables,
      streams: ["/dev/null", output, output], folder: folder.path)
    let socket =
      kind == .jack ? "/dev/shm/jack_\(place.name)_\(getuid())_0" : folder.path + "/pipewire-0"
    guard await wait(until: { FileManager.default.fileExists(atPath: socket) }) else {
      return false
    }
    guard kind == .jack else { return true }
    // The socket is there before the server takes clients; what it refuses does not try again.
    return try await wait(until: { try run("jack_lsp", limit: 20).status == 0 })
  }

  /// Ends it by a signal, and waits for its end; whether that came within ten seconds.
  @discardableResult
  public func end(by signal: Int32) -> Bool {
    guard let child else { return true }
    kill(child.identifier, signal)
    var hasEnded = true
    do {
      _ = try child.wait(seconds: 10)
    } catch {
      print("\(error)")
      hasEnded = false
    }
    self.child = nil
    if signal == SIGKILL { clean() }
    return hasEnded
  }

  /// Removes what a server that was killed leaves.
  private func clean() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/shm")) ?? []
    for name in names where name.contains("_\(place.name)_") {
      unsafe unlink("/dev/shm/\(name)")
    }
  }

  /// Runs words of the shell beside it, `$DB` for the command, and waits for their end.
  public func run(_ script: String, limit: Int = 120) throws -> ToolRun {
    var environment = environment
    environment["DB"] = ToolRun.command
    // What a script leaves running ends with it. Interrupted, JACK's tools leave their server first; one
    // that waits for its clients (`-S`) does not end itself after clients that have not (JACK 1.9.21).
    let end = """
      trap '[ -z "$(jobs -p)" ] || { kill -INT $(jobs -p); sleep 0.3; kill $(jobs -p); } 2>/dev/null' EXIT

      """
    return try ToolRun(
      ["-c", end + script], environment: environment, command: "/bin/bash", limit: limit)
  }
}
