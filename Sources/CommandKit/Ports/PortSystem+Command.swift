// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
internal import JACKAudio
package import MIDIPorts
package import RTPMIDI

extension PortSystem {
  /// The ports of all kinds, under a name that other programs see.
  ///
  /// - Parameters:
  ///   - name: The name; a kind before it is removed.
  ///   - isGuarded: True to release sounding notes even if this process is killed; if this is not
  ///     possible, it is reported.
  ///   - rules: The rules for peers that join our sessions on the network.
  /// - Returns: The system; no port is open yet.
  package static func named(
    _ name: String = "downbeat", isGuarded: Bool = false, rules: SessionRules = SessionRules()
  ) -> PortSystem {
    let name = bareName(name)
    // The guardian is this program, started again, so only the command's own program can have one.
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

  /// The name without a kind before it.
  static func bareName(_ name: String) -> String {
    for kind in PortKind.named where name.hasPrefix("\(kind):") {
      return String(name.dropFirst("\(kind):".count))
    }
    return name
  }
}
