// SPDX-License-Identifier: Apache-2.0
package import PlayerControl

extension WebClock {
  /// Tells a person where the page is.
  ///
  /// - Parameter leads: Whether there is anything that a page may do.
  package func report(leads: Bool) {
    Terminal.say("downbeat: shown at \(addresses.shows.joined(separator: ", "))")
    if leads { Terminal.say("downbeat: and led at \(addresses.leads.joined(separator: ", "))") }
  }
}
