// SPDX-License-Identifier: Apache-2.0
internal import Downbeat

/// The files of a list that exist and may be read; the others are reported at once.
package struct ReadableFiles {
  /// The indices of the readable files.
  package let indices: [Int]
  /// True if no file was left out.
  package let isComplete: Bool

  /// Checks files without opening them, and reports each that cannot be read.
  ///
  /// - Parameter paths: The paths; nil for an input that is not a file, such as standard input.
  /// - Throws: `FileError` for a single file; the worst status if none of several can be read.
  package init(_ paths: [String?]) throws {
    var (tally, kept) = (Tally(), [Int]())
    for (index, path) in paths.enumerated() {
      guard let path, let error = FileError(accessing: path) else {
        kept.append(index)
        continue
      }
      guard paths.count > 1 else { throw error }
      Terminal.report("\(error)")
      JSONReport.refuse(error, file: path)
      tally.add(error.exitStatus)
    }
    guard !kept.isEmpty || paths.isEmpty else { throw tally.status }
    (indices, isComplete) = (kept, kept.count == paths.count)
  }
}
