// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import RTPMIDI
internal import RTPSessions
internal import Synchronization

/// The network sessions of this process, which are left however the process ends.
enum RTPPresence {
  private static let kept = Mutex<[RTPPorts]>([])

  /// The network ports of a command; no port is open yet.
  ///
  /// - Parameters:
  ///   - name: The name that other machines see.
  ///   - rules: The rules for peers that join.
  /// - Returns: The ports, which stay until the process ends.
  static func open(named name: String, _ rules: SessionRules) -> RTPPorts {
    var settings = RTPPorts.Settings(name: name)
    settings.rules = rules
    let ports = RTPPorts(settings) { session, fact in
      if let sentence = sentence(of: fact, in: session) { Terminal.report(sentence) }
    }
    let isFirst = kept.withLock { kept in
      kept.append(ports)
      return kept.count == 1
    }
    if isFirst {
      ExitHooks.add { RTPPresence.leave() }
      atexit { RTPPresence.leave() }
    }
    return ports
  }

  /// Leaves all sessions.
  static func leave() {
    for ports in kept.withLock({ $0 }) { ports.end() }
  }

  /// The message about a peer that joins; peers that we invite are reported as ports.
  private static func sentence(of fact: SessionFact, in session: String) -> String? {
    switch fact {
    case .turnedAway(let who):
      "session '\(session)': refused \(words(who)) (add --rtp-allow to permit it)"
    case .full(let who): "session '\(session)': full, refused \(words(who))"
    case .flooded(let who):
      "session '\(session)': \(words(who)) sends too fast; some events are lost"
    case .joined, .left, .lost, .replaced, .refused, .unanswered: nil
    }
  }

  private static func words(_ who: SessionPartner) -> String {
    "'\(who.name)' at \(who.address.socketAddress)"
  }
}
