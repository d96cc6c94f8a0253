// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
internal import JACKAudio
package import MIDIPorts
package import RTPMIDI

extension PortSystem {
  /// The ports of every kind that the command knows, under a name that other programs see.
  ///
  /// - Parameters:
  ///   - name: the name; a kind before it is no part of it.
  ///   - isGuarded: whether what sounds is released even where this process is killed; where that
  ///     cannot be, it is told.
  ///   - rules: who may come into sessions of ours on the network.
  /// - Returns: the system, of which nothing is opened yet.
  package static func named(
    _ name: String = "downbeat", isGuarded: Bool = false, rules: SessionRules = SessionRules()
  ) -> PortSystem {
    let name = bareName(name)
    // A guardian is this program, started once more: only the program of the command can be one.
    let isGuarded = isGuarded && Console.current.isProcess
    return PortSystem([
      Source(.alsa) {
        guard isGuarded else { return try ALSAClient(name: name) }
        return try ALSAClient.guarded(name: name) { Terminal.report("\($0)") }
      },
      Source(.rtp) { RTPPresence.open(named: name, rules) },
      Source(.jack) {
        JACKPorts(
          opening: { () throws(JACKError) in try SharedJACKClient.client() },
          guardian: { isGuarded ? jackGuardian() : nil })
      },
    ])
  }

  private static func jackGuardian() -> JACKGuardian? {
    do {
      let guardian = try JACKGuardian()
      guardian.waitUntilReady()
      return guardian
    } catch {
      Terminal.report("\(error)")
      return nil
    }
  }

  /// A name without the kind that stands before it.
  static func bareName(_ name: String) -> String {
    for kind in PortKind.named where name.hasPrefix("\(kind):") {
      return String(name.dropFirst("\(kind):".count))
    }
    return name
  }
}
