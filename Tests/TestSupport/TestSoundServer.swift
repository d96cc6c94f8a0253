// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// A sound server for one test, without a sound card, in a separate folder.
///
/// It ends with this object.
public final class TestSoundServer {
  /// The kind of server.
  public enum Kind: String, CaseIterable, Sendable {
    case jack, pipewire
  }

  /// True if both servers and the tools for tests are installed (`make setup-test`).
  public static let isInstalled = [
    "jackd", "jack_rec", "jack_lsp", "jack_iodelay", "jack_latent_client", "jack_mclk_dump",
    "pipewire",
    "pw-metadata",
  ].allSatisfy { FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)") }

  /// The environment with which clients use this server and no other.
  public let environment: [String: String?]
  private let kind: Kind
  private let place: Place
  private let folder = URL(fileURLWithPath: "/tmp/downbeat-\(UUID().uuidString.prefix(8))")
  private let words: [String]
  private var child: Child?

  /// Starts a server and waits until it accepts clients.
  ///
  /// - Parameters:
  ///   - kind: The kind of server.
  ///   - rate: Frames per second.
  ///   - period: The frames of a period.
  ///   - channels: The channels of JACK's card for playback, and for capture.
  ///   - isPatient: True if JACK waits for each client in every cycle, so that on a busy machine it
  ///     is late instead of leaving out clients.
  /// - Throws: An error if it does not start.
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

  /// A server name that other tests do not use at the same time.
  ///
  /// JACK has a list of eight servers for the whole machine. A killed server stays in the list
  /// until another one with its name starts, so there are few names, which are reused.
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

  /// Starts or restarts the server; one that does not start is tried three times.
  public func start() async throws {
    for _ in 1..<3 {
      if try await comesUp() { return }
      end(by: SIGKILL)
    }
    guard try await !comesUp() else { return }
    let words = try String(decoding: FileContent.data(output), as: UTF8.self)
    throw Child.Failure(description: "\(self.words[0]) did not start: \(words.suffix(400))")
  }

  /// The file with its output.
  private var output: String { folder.appendingPathComponent("output").path }

  /// Starts the server; returns true if it accepts clients.
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
    // The socket exists before the server accepts clients, and clients that it refuses do not try
    // again.
    return try await wait(until: { try run("jack_lsp", limit: 20).status == 0 })
  }

  /// Ends the server with a signal, and waits; returns true if it ended within ten seconds.
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

  /// Removes the files that a killed server leaves.
  private func clean() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/shm")) ?? []
    for name in names where name.contains("_\(place.name)_") {
      unsafe unlink("/dev/shm/\(name)")
    }
  }

  /// Runs a shell script with this server, in which `$DB` is the command, and waits for its end.
  public func run(_ script: String, limit: Int = 120) throws -> ToolRun {
    var environment = environment
    environment["DB"] = ToolRun.command
    // The processes that a script leaves running end with it. Interrupted JACK tools leave their
    // server first. A server that waits for its clients (`-S`) does not end after clients that have
    // not left it (JACK 1.9.21).
    let end = """
      trap '[ -z "$(jobs -p)" ] || { kill -INT $(jobs -p); sleep 0.3; kill $(jobs -p); } 2>/dev/null' EXIT

      """
    return try ToolRun(
      ["-c", end + script], environment: environment, command: "/bin/bash", limit: limit)
  }
}
