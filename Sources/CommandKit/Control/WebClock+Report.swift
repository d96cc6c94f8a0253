// SPDX-License-Identifier: Apache-2.0
package import PlayerControl

extension WebClock {
  /// Prints the address of the page.
  ///
  /// - Parameter leads: true if a page may control the player.
  package func report(leads: Bool) {
    Terminal.say("downbeat: shown at \(addresses.shows.joined(separator: ", "))")
    if leads { Terminal.say("downbeat: and controlled at \(addresses.leads.joined(separator: ", "))") }
  }
}
