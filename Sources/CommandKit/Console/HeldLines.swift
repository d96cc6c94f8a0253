// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Holds messages back while a picture is on the terminal; they are printed after it.
package enum HeldLines {
  /// The maximum number of lines that are kept; after that, the oldest are dropped.
  private static let capacity = 200

  /// Starts to hold lines back.
  package static func begin() {
    Console.current.heldLines.withLock { $0 = $0 ?? [] }
  }

  /// Prints the held lines, and stops holding lines back.
  package static func end() {
    let kept = Console.current.heldLines.withLock { lines in
      defer { lines = nil }
      return lines ?? []
    }
    for line in kept { Terminal.say(line) }
  }

  /// Holds a line back; false if it must be printed now.
  static func take(_ line: String) -> Bool {
    Console.current.heldLines.withLock { lines in
      guard lines != nil else { return false }
      lines?.append(line)
      if let count = lines?.count, count > capacity { lines?.removeFirst() }
      return true
    }
  }

  /// The last line that was held back; nil for none.
  package static var last: String? { Console.current.heldLines.withLock { $0?.last } }
}
