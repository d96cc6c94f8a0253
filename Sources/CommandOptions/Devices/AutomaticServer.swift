// SPDX-License-Identifier: Apache-2.0
package import JACKAudio

/// The sound server that `--audio auto` plays on.
package struct AutomaticServer {
  /// The client of the server; nil if sound cannot be played on any.
  package let client: JACKClient?
  /// Sentence for people: why this server, or why none.
  package let reason: String
  /// True if a server runs and its client library is not installed.
  package let isLibraryMissing: Bool

  init(client: JACKClient? = nil, reason: String, isLibraryMissing: Bool = false) {
    self.client = client
    self.reason = reason
    self.isLibraryMissing = isLibraryMissing
  }
}
