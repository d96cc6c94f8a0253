// SPDX-License-Identifier: Apache-2.0

/// Finds a file whose name is similar to that of a missing one.
package enum SimilarFile {
  /// The minimum length of a name, without its extension, in which typing errors are assumed.
  private static let shortestStem = 3
  private static let songSuffixes = [".mid", ".midi"]

  /// Finds a file in the folder of a missing path that the user may have meant.
  ///
  /// Its name differs only in case; or in the extension `.mid` or `.midi`, which can be missing; or
  /// in one letter that is wrong, missing, added, or swapped with the next. The first match is
  /// used, in this order.
  ///
  /// - Parameter path: The path of a file that does not exist.
  /// - Returns: The path of the file; nil if no name is similar.
  /// - Complexity: O(n) in the number of names in the folder, which is read.
  package static func of(_ path: String) -> String? {
    let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let (folder, name) = (String(path[..<start]), path[start...].lowercased())
    guard !name.isEmpty, name.count <= 255, let names = files(in: folder) else { return nil }
    return [{ $0 == name }, { isSameSong($0, name) }, { isOneEditAway($0, name) }]
      .lazy.compactMap { isClose in names.first { isClose($0.lowercased()) } }
      .first.map { FolderListing.path(folder, $0) }
  }

  /// Returns a question to append to an error message.
  ///
  /// - Parameter path: The path of a file that does not exist.
  /// - Returns: A text such as ` (did you mean rag.mid?)`; empty if no name is similar.
  package static func question(for path: String) -> String {
    of(path).map { " (did you mean \($0)?)" } ?? ""
  }

  private static func files(in folder: String) -> [String]? {
    do throws(WholeFileError) {
      return try FolderListing.entries(in: folder)
        .filter { $0.kind == .file && !$0.name.hasPrefix(".") }.map(\.name).sorted()
    } catch {
      return nil
    }
  }

  /// Returns true if two names differ at most in the extension of a MIDI file.
  private static func isSameSong(_ name: String, _ other: String) -> Bool {
    let stems = [name, other].map { name in
      songSuffixes.first { name.hasSuffix($0) }.map { String(name.dropLast($0.count)) }
    }
    return stems[0] != nil && stems[0] == stems[1] ?? other
  }

  private static func isOneEditAway(_ name: String, _ other: String) -> Bool {
    let stem = other.prefix { $0 != "." }
    guard stem.count >= shortestStem else { return false }
    let (a, b) = (Array(name), Array(other))
    let start = zip(a, b).prefix { $0 == $1 }.count
    let (rest, otherRest) = (a[start...], b[start...])
    return switch a.count - b.count {
    case 0: rest.dropFirst() == otherRest.dropFirst() || isSwap(rest, otherRest)
    case 1: rest.dropFirst() == otherRest
    case -1: rest == otherRest.dropFirst()
    default: false
    }
  }

  private static func isSwap(_ a: ArraySlice<Character>, _ b: ArraySlice<Character>) -> Bool {
    a.count >= 2 && Array(a.prefix(2)) == b.prefix(2).reversed() && a.dropFirst(2) == b.dropFirst(2)
  }
}
