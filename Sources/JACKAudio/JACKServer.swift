// SPDX-License-Identifier: Apache-2.0
internal import CJACK
internal import FileNames
internal import Glibc
public import MusicalTime

/// A sound server that JACK clients can use.
public enum JACKServer: Hashable, Sendable, CaseIterable {
  /// JACK itself: `jackd` or `jackdbus`.
  case jack
  /// PipeWire, through its drop-in replacement for the JACK library.
  case pipewire

  /// The name of the server.
  public var name: String { self == .jack ? "JACK" : "PipeWire" }

  /// The word for the server in device names such as `jack:CLIENT`: `jack` or `pipewire`.
  public var word: String { self == .jack ? "jack" : "pipewire" }

  /// The servers that are running, with JACK first.
  ///
  /// A library is not opened, and a server is not started.
  ///
  /// - Note: Not real-time safe: it connects to a socket.
  public static var running: [JACKServer] { allCases.filter(\.isRunning) }

  /// True if the server is running and accepts clients.
  ///
  /// The server's socket is tested, without waiting. The server is selected as in its library: by
  /// `JACK_DEFAULT_SERVER`, or by `PIPEWIRE_REMOTE` and `PIPEWIRE_RUNTIME_DIR` or
  /// `XDG_RUNTIME_DIR`.
  ///
  /// - Note: Not real-time safe.
  public var isRunning: Bool { sockets.contains(where: \.isLocalSocketInUse) }

  /// True if the library of the server is installed.
  ///
  /// The library is opened to find out.
  public var hasLibrary: Bool { unsafe table != nil }

  /// Requests a cycle length from PipeWire, for all clients that this process opens later.
  ///
  /// PipeWire uses the shortest cycle that any of its clients requests, within its settings. The
  /// cycle length of JACK is set when it is started. If the user has set `PIPEWIRE_LATENCY`, the
  /// call does nothing.
  ///
  /// - Parameters:
  ///   - frames: The number of frames per cycle, 16…8192.
  ///   - rate: The sample rate to which `frames` refers.
  /// - Note: The function changes the environment. Call it at the start, before other threads read
  ///   the environment.
  /// - Source: PipeWire, the key `node.latency`.
  public static func askForTurns(of frames: Int, at rate: SampleRate) {
    unsafe setenv("PIPEWIRE_LATENCY", "\(frames)/\(rate.hertz)", 0)
  }

  var table: UnsafePointer<CJACKTable>? {
    unsafe cjack_table(self == .jack ? CJACK_OF_JACK : CJACK_OF_PIPEWIRE)
  }

  private var sockets: [String] {
    switch self {
    case .jack:
      let name = Self.variable("JACK_DEFAULT_SERVER") ?? "default"
      let user = Self.variable("JACK_PROMISCUOUS_SERVER") == nil ? "_\(getuid())" : ""
      // JACK 2's, then JACK 1's.
      return ["/dev/shm", "/tmp"].map { "\($0)/jack_\(name)\(user)_0" }
        + ["/dev/shm", "/tmp"].map { "\($0)/jack-\(getuid())/\(name)/jack_0" }
    case .pipewire:
      let name = Self.variable("PIPEWIRE_REMOTE") ?? "pipewire-0"
      if name.hasPrefix("/") { return [name] }
      let folder = Self.variable("PIPEWIRE_RUNTIME_DIR") ?? Self.variable("XDG_RUNTIME_DIR")
      return (folder.map { [$0] } ?? []).map { "\($0)/\(name)" } + ["/run/pipewire/\(name)"]
    }
  }

  private static func variable(_ name: String) -> String? {
    guard let text = unsafe getenv(name), unsafe text.pointee != 0 else { return nil }
    return unsafe FileName.text(cString: text)
  }
}
