// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Messages while a picture is on the terminal: the picture shows them, and they are printed when it
/// is gone.
package enum HeldLines {
  /// The most lines that are kept; of more the oldest are dropped.
  private static let capacity = 200

  /// Keeps lines from now on.
  package static func begin() {
    Console.current.heldLines.withLock { $0 = $0 ?? [] }
  }

  /// Prints the kept lines; from now on lines are printed at once.
  package static func end() {
    let kept = Console.current.heldLines.withLock { lines in
      defer { lines = nil }
      return lines ?? []
    }
    for line in kept { Terminal.say(line) }
  }

  /// Keeps a line; false if it is to be printed.
  static func take(_ line: String) -> Bool {
    Console.current.heldLines.withLock { lines in
      guard lines != nil else { return false }
      lines?.append(line)
      if let count = lines?.count, count > capacity { lines?.removeFirst() }
      return true
    }
  }

  /// The line that was kept last; nil if there is none.
  package static var last: String? { Console.current.heldLines.withLock { $0?.last } }
}
