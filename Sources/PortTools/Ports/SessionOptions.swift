// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
internal import CommandKit
package import MIDIPorts
internal import NetworkSockets
package import RTPMIDI
internal import RTPSessions

/// The options for a network session that other machines can join.
package struct SessionOptions: ParsableArguments {
  package init() {}

  @Option(
    name: .customLong("rtp"),
    help: ArgumentHelp(
      "Instead of using a port, open a network session (RTP-MIDI) of this name, which other"
        + " machines can join.",
      discussion: "The session uses UDP ports 5004 and 5005, or the next free pair above these.",
      valueName: "name"))
  package var session: String?

  @Option(
    help: ArgumentHelp(
      "Let machines with this address, network (10.0.0.0/8) or name join; repeatable."
        + " Default: all private addresses.",
      valueName: "who"))
  var rtpAllow: [String] = []

  package func validate() throws {
    guard session != "" else { throw ValidationError("--rtp: the name is empty") }
    guard session != nil || rtpAllow.isEmpty else {
      throw ValidationError("--rtp-allow: needs a session (add --rtp NAME)")
    }
    if let wrong = rtpAllow.first(where: { $0.isEmpty || SessionRules.Network.isBroken($0) }) {
      throw ValidationError(
        "--rtp-allow \(wrong): not an address, a network (10.0.0.0/8) or a name")
    }
  }

  /// Checks that other options allow a session.
  ///
  /// - Parameters:
  ///   - isFree: True if no other option conflicts.
  ///   - others: The conflicting options, for the error.
  /// - Throws: `ValidationError` if a session conflicts with other options.
  package func check(_ isFree: Bool, against others: String) throws {
    guard session == nil || isFree else {
      throw ValidationError("--rtp: waits for others to join its session (leave out \(others))")
    }
  }

  /// The ports of the command, which is shown under a name, or under the name of the session.
  package func system(named name: String, isGuarded: Bool = false) -> PortSystem {
    let networks = rtpAllow.compactMap { SessionRules.Network(parsing: $0) }
    let names = Set(rtpAllow.filter { SessionRules.Network(parsing: $0) == nil })
    return PortSystem.named(
      session ?? name, isGuarded: isGuarded,
      rules: networks.isEmpty
        ? SessionRules(names: names) : SessionRules(networks: networks, names: names))
  }

  /// The name of a new port: that of the session, with its kind, or the given one.
  package func name(or name: String) -> String { session.map { "rtp:\($0)" } ?? name }
}

extension SessionRules.Network {
  /// Reads an address or a network, such as `10.0.0.0/8`; nil for other text.
  package init?(parsing text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let host = IPAddress(parts[0]).map({ SessionAddress.Host($0) }) else { return nil }
    let most = if case .v4 = host { 32 } else { 128 }
    guard parts.count == 2 else {
      self.init(host, length: most)
      return
    }
    guard let length = Int(parts[1]), (0...most).contains(length) else { return nil }
    self.init(host, length: length)
  }

  /// True if a text begins like a network but is not valid.
  static func isBroken(_ text: String) -> Bool {
    guard let slash = text.firstIndex(of: "/") else { return false }
    return IPAddress(text[..<slash]) != nil && SessionRules.Network(parsing: text) == nil
  }
}
