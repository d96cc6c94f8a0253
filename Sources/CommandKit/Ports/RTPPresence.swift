// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import RTPMIDI
internal import RTPSessions
internal import Synchronization

/// The sessions on the network that this process is in, so that it takes its leave however it ends.
enum RTPPresence {
  private static let kept = Mutex<[RTPPorts]>([])

  /// The ports of a command, of which nothing is opened yet.
  ///
  /// - Parameters:
  ///   - name: what others see.
  ///   - rules: who may come.
  /// - Returns: the provider, which goes on until the process is ended.
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

  /// Takes leave of everybody.
  static func leave() {
    for ports in kept.withLock({ $0 }) { ports.end() }
  }

  /// What a person is told of guests; those whom we invite are told of as ports are.
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
