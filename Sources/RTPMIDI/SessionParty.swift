// SPDX-License-Identifier: Apache-2.0

/// Who speaks in an invitation and in the answers to it.
package struct SessionParty: Hashable, Sendable {
  /// The number that the initiator has drawn for this session; every answer carries it.
  package var token: UInt32
  /// The number that the speaker's packets carry (SSRC).
  package var source: UInt32
  /// The speaker's name; empty where it says none.
  package var name: String

  /// Creates a party.
  package init(token: UInt32, source: UInt32, name: String = "") {
    (self.token, self.source, self.name) = (token, source, name)
  }
}
