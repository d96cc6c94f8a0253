// SPDX-License-Identifier: Apache-2.0

/// The sender of an invitation or of an answer to one.
package struct SessionParty: Hashable, Sendable {
  /// The number that the initiator has chosen for this session; every answer contains it.
  package var token: UInt32
  /// The identifier in the sender's packets (SSRC).
  package var source: UInt32
  /// The sender's name; empty if it was not sent.
  package var name: String

  /// Creates the description of a sender.
  package init(token: UInt32, source: UInt32, name: String = "") {
    (self.token, self.source, self.name) = (token, source, name)
  }
}
