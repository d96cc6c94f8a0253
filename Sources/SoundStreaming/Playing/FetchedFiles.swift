// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The last downloaded file, for seeking in it.
final class FetchedFiles: Sendable {
  /// A completely downloaded file.
  final class Entry: Sendable {
    let item: Int
    let address: String
    /// The address in messages.
    let name: String
    let file: FetchedFile

    init(item: Int, address: String, name: String, file: consuming FetchedFile) {
      (self.item, self.address, self.name) = (item, address, name)
      self.file = file
    }
  }

  private let last = Mutex<Entry?>(nil)

  /// Stores a file, and releases the previous one.
  func keep(_ entry: Entry) { last.withLock { $0 = entry } }

  /// The file of an item; nil if it was not downloaded, or is no longer the last one.
  func file(of item: Int, _ address: String) -> Entry? {
    last.withLock { $0.flatMap { $0.item == item && $0.address == address ? $0 : nil } }
  }
}
