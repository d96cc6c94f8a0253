// SPDX-License-Identifier: Apache-2.0
internal import SystemPackages

/// An error of a sound server.
public enum JACKError: Error, Hashable, Sendable {
  /// No sound server is running.
  case noServer
  /// The requested server is not running; `others` are running.
  case notRunning(JACKServer, others: [JACKServer])
  /// The library of the server is not installed.
  case noLibrary(JACKServer)
  /// The server does not answer.
  case noAnswer(JACKServer)
  /// The server refuses the client; the status is a bit mask of JACK.
  case refused(JACKServer, status: UInt32)
  /// The server refuses to create a port.
  case cannotRegister(port: String)
  /// The target does not have suitable ports.
  ///
  /// The candidates are the ports of the client if that exists, and otherwise the clients that have
  /// such ports.
  case noSuchTarget(JACKServer, String, candidates: [String])
  /// A channel of the target was requested that does not exist.
  ///
  /// The channel is counted from 1; `count` is the number of channels.
  case noSuchChannel(JACKTarget, Int, count: Int)
  /// The server runs at a different sample rate than requested.
  case rateDiffers(JACKServer, hertz: Int, wanted: Int)
  /// The server has restarted at a different sample rate.
  case returnedAtOtherRate(JACKServer, hertz: Int, wanted: Int)
  /// The server has stopped, and has not returned in time.
  case lost(JACKServer)
  /// A thread for the server cannot be started.
  case cannotStart(JACKServer, reason: String)
}

extension JACKError: CustomStringConvertible {
  /// The message for the user.
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
  /// The command that ends a server that hangs, and starts another.
  fileprivate var restart: String {
    self == .jack
      ? "killall -9 jackd; \(start)" : "systemctl --user restart pipewire"
  }

  /// The command that starts it.
  fileprivate var start: String {
    self == .jack ? "jackd -d alsa" : "systemctl --user start pipewire"
  }
}
