// SPDX-License-Identifier: Apache-2.0
internal import CJACK
internal import FileNames
internal import Glibc
public import MusicalTime

/// A sound server with JACK's interface.
public enum JACKServer: Hashable, Sendable, CaseIterable {
  /// JACK itself: `jackd` or `jackdbus`.
  case jack
  /// PipeWire, with its replacement of JACK's library.
  case pipewire

  /// The name of the server.
  public var name: String { self == .jack ? "JACK" : "PipeWire" }

  /// The word for the server in a device name, before a colon and a client: `jack`, `pipewire`.
  public var word: String { self == .jack ? "jack" : "pipewire" }

  /// The servers that run, JACK first; the call does not open a library or start a server.
  ///
  /// - Note: Not real-time safe: it connects to a socket.
  public static var running: [JACKServer] { allCases.filter(\.isRunning) }

  /// True if the server accepts clients, which is tested at its socket without waiting.
  ///
  /// The server is selected as in its library: by `JACK_DEFAULT_SERVER`, or by `PIPEWIRE_REMOTE`
  /// and `PIPEWIRE_RUNTIME_DIR` or `XDG_RUNTIME_DIR`.
  ///
  /// - Note: Not real-time safe.
  public var isRunning: Bool { sockets.contains(where: \.isLocalSocketInUse) }

  /// True if the library of the server is installed; the call opens it.
  public var hasLibrary: Bool { unsafe table != nil }

  /// Requests a cycle length from PipeWire, for every client of this process that is opened from
  /// now on.
  ///
  /// PipeWire uses the shortest cycle that any of its clients requests, within its settings. The
  /// cycle length of JACK is set when it is started. If the user has set `PIPEWIRE_LATENCY`, the
  /// call does nothing.
  ///
  /// - Parameters:
  ///   - frames: Frames per cycle, 16…8192.
  ///   - rate: Frames per second.
  /// - Note: The call changes the environment; make it at the start, before other threads read
  ///   that.
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
