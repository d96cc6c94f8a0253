// SPDX-License-Identifier: Apache-2.0

/// A copy that is written until it is whole, or given up.
final class CopyDuty: @unchecked Sendable {
  // Made by whoever creates the source; then the thread that receives alone uses it.
  private let path: String
  private var copy: StreamCopy?

  init(_ wish: HTTPSettings.Copy) throws(HTTPError) {
    path = wish.path
    copy = try StreamCopy(wish)
  }

  /// Writes bytes; where that fails, why.
  func write(_ bytes: [UInt8], at offset: Int64) -> HTTPError? {
    do {
      try copy?.write(bytes, at: offset)
      return nil
    } catch {
      copy = nil
      return error
    }
  }

  /// Gives the file its name where all is there.
  ///
  /// - Returns: what is to be told; nil where nothing is.
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

  /// Lets go of a file that is not whole.
  func drop() { copy = nil }
}
