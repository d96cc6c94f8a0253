// SPDX-License-Identifier: Apache-2.0
internal import CJACK
internal import FileNames
internal import Glibc
public import MusicalTime

/// A sound server that a client of JACK can speak to.
public enum JACKServer: Hashable, Sendable, CaseIterable {
  /// JACK itself: `jackd` or `jackdbus`.
  case jack
  /// PipeWire, by its own library of JACK's interface.
  case pipewire

  /// What it is called.
  public var name: String { self == .jack ? "JACK" : "PipeWire" }

  /// The word by which a text names it, before a colon and a client: `jack`, `pipewire`.
  public var word: String { self == .jack ? "jack" : "pipewire" }

  /// The servers that run, JACK first; no library is opened for this, and none is started.
  ///
  /// - Note: Not real-time safe: it asks a socket.
  public static var running: [JACKServer] { allCases.filter(\.isRunning) }

  /// Whether it accepts clients: asked of its socket, without waiting.
  ///
  /// Which server is meant is said as the libraries say it: by `JACK_DEFAULT_SERVER`, by
  /// `PIPEWIRE_REMOTE` and `PIPEWIRE_RUNTIME_DIR` or `XDG_RUNTIME_DIR`.
  ///
  /// - Note: Not real-time safe.
  public var isRunning: Bool { sockets.contains(where: \.isLocalSocketInUse) }

  /// Whether the library by which it is spoken to is here; it is opened for this.
  public var hasLibrary: Bool { unsafe table != nil }

  /// Asks PipeWire for turns of a length, for every client of this process that is opened from then on.
  ///
  /// PipeWire takes the shortest turns that any of its clients asks for, as far as its settings allow.
  /// JACK has one length for all its clients, and whoever starts it chooses it. A user who has set
  /// `PIPEWIRE_LATENCY` is not overruled.
  ///
  /// - Parameters:
  ///   - frames: how many, 16…8192.
  ///   - rate: frames a second.
  /// - Note: It changes the environment: to be called before other threads read that, thus at the start.
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
