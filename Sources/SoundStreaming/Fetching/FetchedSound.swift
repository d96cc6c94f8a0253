// SPDX-License-Identifier: Apache-2.0

/// A downloaded sound in a file without a name, which is deleted when this object is released.
package final class FetchedSound: Sendable {
  /// The address in messages.
  package let name: String
  /// The descriptor of the file, which is open while this object exists.
  package var descriptor: Int32 { file.descriptor }
  private let file: FetchedFile

  init(_ name: String, _ file: consuming FetchedFile) {
    self.name = name
    self.file = file
  }
}
