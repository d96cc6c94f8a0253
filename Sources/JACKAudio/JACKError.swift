// SPDX-License-Identifier: Apache-2.0
internal import SystemPackages

/// Why a sound server cannot be used, or can be used no longer.
public enum JACKError: Error, Hashable, Sendable {
  /// No server runs that a client could speak to.
  case noServer
  /// The server that is named does not run; the others do.
  case notRunning(JACKServer, others: [JACKServer])
  /// The server's library is not installed.
  case noLibrary(JACKServer)
  /// The server is there, and says nothing.
  case noAnswer(JACKServer)
  /// The server refuses a client; the status is JACK's.
  case refused(JACKServer, status: UInt32)
  /// The server gives no port.
  case cannotRegister(port: String)
  /// No port takes sound, or gives it, by the name; the candidates are the ports of the client where
  /// that is there, else the clients that have some.
  case noSuchTarget(JACKServer, String, candidates: [String])
  /// The target has fewer channels than the one that is to be played on, counted from 1.
  case noSuchChannel(JACKTarget, Int, count: Int)
  /// The server runs at another rate than what is played.
  case rateDiffers(JACKServer, hertz: Int, wanted: Int)
  /// The server went away and is back at another rate than what is played.
  case returnedAtOtherRate(JACKServer, hertz: Int, wanted: Int)
  /// The server is gone.
  case lost(JACKServer)
  /// A thread could not be started.
  case cannotStart(JACKServer, reason: String)
}

extension JACKError: CustomStringConvertible {
  /// The sentence for the user.
  public var description: String {
    switch self {
    case .noServer:
      "sound server: neither JACK nor PipeWire is running (start one: \(JACKServer.jack.start), or"
        + " \(JACKServer.pipewire.start))"
    case .notRunning(let server, let others):
      "\(server.name): not running (start it: \(server.start); or use"
        + " \(others.map { "\($0.word), which is running" }.joined(separator: ", or ")))"
    case .noLibrary(let server):
      "\(server.name): its library is not installed (sudo"
        + " \((server == .jack ? SystemPackage.jack : .pipewireJACK).installation()))"
    case .noAnswer(let server):
      "\(server.name): the server does not answer (restart it: \(server.restart))"
    case .refused(let server, let status) where status & 0x400 != 0:
      "\(server.name): server and library versions differ (restart the server)"
    case .refused(let server, let status):
      "\(server.name): the server refused the client: status 0x\(String(status, radix: 16))"
        + " (it may belong to another user)"
    case .cannotRegister(let port):
      "\(port): the server has run out of ports (start it with more: jackd --port-max)"
    case .noSuchTarget(let server, let name, let candidates):
      "\(server.word):\(name): no suitable client or port of that name"
        + (candidates.isEmpty
          ? " (the server has none)" : " (available: \(candidates.joined(separator: ", ")))")
    case .noSuchChannel(let target, let channel, let count):
      "jack\(target.suffix): channel \(channel) does not exist ("
        + (count == 0 ? "the target has 0 channels)" : "choose 1 to \(count))")
    case .rateDiffers(let server, let hertz, let wanted):
      "\(server.name): runs at \(hertz) Hz, not \(wanted) Hz (request \(hertz) Hz, or omit the rate)"
    case .returnedAtOtherRate(let server, let hertz, let wanted):
      "\(server.name): restarted at \(hertz) Hz instead of \(wanted) Hz (start again)"
    case .lost(let server):
      "\(server.name): the server has stopped"
    case .cannotStart(let server, let reason):
      "\(server.name): cannot start: \(reason)"
    }
  }
}

extension JACKServer {
  /// What ends one that hangs, and starts another.
  fileprivate var restart: String {
    self == .jack
      ? "killall -9 jackd; \(start)" : "systemctl --user restart pipewire"
  }

  /// What starts it.
  fileprivate var start: String {
    self == .jack ? "jackd -d alsa" : "systemctl --user start pipewire"
  }
}
