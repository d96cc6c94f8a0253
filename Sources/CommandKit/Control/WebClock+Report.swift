// SPDX-License-Identifier: Apache-2.0
package import PlayerControl

extension WebClock {
  /// Prints the addresses of the page.
  ///
  /// - Parameter isControl: True to print the address of the control page, too.
  package func report(isControl: Bool) {
    Terminal.say("downbeat: view page: \(addresses.shows.joined(separator: ", "))")
    guard isControl else { return }
    let places = addresses.leads.joined(separator: ", ")
    Terminal.say("downbeat: control page (keep private): \(places)")
  }
}
