// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// What is said while a picture is on the terminal: it is shown there, and written when the picture
/// is gone.
package enum HeldLines {
  /// The most that are kept; of more the first go.
  private static let capacity = 200
  /// Nil where lines go out at once.
  private static let lines = Mutex<[String]?>(nil)

  /// From now on lines are kept.
  package static func begin() {
    lines.withLock { $0 = $0 ?? [] }
  }

  /// Writes what was kept; from now on lines go out at once.
  package static func end() {
    let kept = lines.withLock { lines in
      defer { lines = nil }
      return lines ?? []
    }
    for line in kept { Terminal.say(line) }
  }

  /// Keeps a line; false where it is to go out.
  package static func take(_ line: String) -> Bool {
    lines.withLock { lines in
      guard lines != nil else { return false }
      lines?.append(line)
      if let count = lines?.count, count > capacity { lines?.removeFirst() }
      return true
    }
  }

  /// The line that was kept last; nil where none was.
  package static var last: String? { lines.withLock { $0?.last } }
}
