// SPDX-License-Identifier: Apache-2.0
package import JACKAudio

/// The sound server that `--audio auto` plays on.
package struct AutomaticServer {
  /// The client of the server; nil if sound cannot be played on any.
  package let client: JACKClient?
  /// The reason for this server, or for none, as text for the user.
  package let reason: String
  /// True if a server runs but its client library is not installed.
  package let isLibraryMissing: Bool

  init(client: JACKClient? = nil, reason: String, isLibraryMissing: Bool = false) {
    self.client = client
    self.reason = reason
    self.isLibraryMissing = isLibraryMissing
  }
}
