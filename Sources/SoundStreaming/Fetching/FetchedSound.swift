// SPDX-License-Identifier: Apache-2.0

/// A sound that was fetched into a file without a name, which is removed with its last owner.
package final class FetchedSound: Sendable {
  /// The address in messages.
  package let name: String
  /// The file.
  package var descriptor: Int32 { file.descriptor }
  private let file: FetchedFile

  init(_ name: String, _ file: consuming FetchedFile) {
    self.name = name
    self.file = file
  }
}
