// SPDX-License-Identifier: Apache-2.0

/// Writes a copy until it is complete, or abandoned.
final class CopyDuty: @unchecked Sendable {
  // Created with the source; afterwards only the receiving thread uses it.
  private let path: String
  private var copy: StreamCopy?

  init(_ wish: HTTPSettings.Copy) throws(HTTPError) {
    path = wish.path
    copy = try StreamCopy(wish)
  }

  /// Writes bytes; returns an error if the copy is abandoned.
  func write(_ bytes: [UInt8], at offset: Int64) -> HTTPError? {
    do {
      try copy?.write(bytes, at: offset)
      return nil
    } catch {
      copy = nil
      return error
    }
  }

  /// Gives the file its name if all bytes are written.
  ///
  /// - Returns: The event to report, or nil.
  func finish(byteCount: Int64) -> HTTPSource.Event? {
    guard copy?.isComplete(byteCount) ?? false else { return nil }
    defer { copy = nil }
    do {
      try copy?.keep()
      return .copied(path: path)
    } catch {
      return .notCopied(error)
    }
  }

  /// Removes an incomplete file.
  func drop() { copy = nil }
}
