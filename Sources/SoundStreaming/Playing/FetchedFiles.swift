// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The file that was fetched last, so that another place of it can be gone to.
final class FetchedFiles: Sendable {
  /// A file that is there whole.
  final class Entry: Sendable {
    let item: Int
    let address: String
    /// What messages call it.
    let name: String
    let file: FetchedFile

    init(item: Int, address: String, name: String, file: consuming FetchedFile) {
      (self.item, self.address, self.name) = (item, address, name)
      self.file = file
    }
  }

  private let last = Mutex<Entry?>(nil)

  /// Keeps a file, in the place of the one before it.
  func keep(_ entry: Entry) { last.withLock { $0 = entry } }

  /// The file of an item; nil where it was not fetched, or another was since.
  func file(of item: Int, _ address: String) -> Entry? {
    last.withLock { $0.flatMap { $0.item == item && $0.address == address ? $0 : nil } }
  }
}
