// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import PlayerControl

/// Reads standard input by lines, in large blocks and without creating a `String`.
package struct InputLines {
  private static let readSize = 128 << 10
  private static let longestLine = 16 << 20

  /// The bytes that have been read; a line is a range of them, valid until the next line is read.
  package private(set) var bytes = [UInt8](repeating: 0, count: InputLines.readSize)
  /// The number of the line returned last, from 1.
  package private(set) var number = 0
  private var start = 0
  private var end = 0
  private var isAtEnd = false

  /// Creates a reader at the first line.
  package init() {}

  /// Returns the next line without its line end; nil after the last.
  ///
  /// - Throws: `Failure` if reading fails or a line is longer than 16 MiB.
  package mutating func next() throws(Failure) -> Range<Int>? {
    var searched = start
    while true {
      if let newline = newline(from: searched) { return take(upTo: newline, next: newline + 1) }
      if isAtEnd { return start < end ? take(upTo: end, next: end) : nil }
      let known = end - start
      try fill()
      searched = start + known
    }
  }

  private mutating func take(upTo lineEnd: Int, next: Int) -> Range<Int> {
    defer { start = next }
    number += 1
    return start..<lineEnd
  }

  private func newline(from index: Int) -> Int? {
    unsafe bytes.withUnsafeBytes { raw in
      guard index < end, let base = raw.baseAddress,
        let found = unsafe memchr(base + index, 0x0A, end - index)
      else { return nil }
      return unsafe UnsafeRawPointer(found) - base
    }
  }

  /// Reads more bytes after the incomplete line.
  private mutating func fill() throws(Failure) {
    if start > 0 {
      bytes.replaceSubrange(0..<(end - start), with: Array(bytes[start..<end]))
      (start, end) = (0, end - start)
    }
    if end == bytes.count {
      guard bytes.count < Self.longestLine else {
        throw Failure(.badData, "standard input: line \(number + 1) is longer than 16 MB")
      }
      bytes.append(contentsOf: repeatElement(0, count: bytes.count))
    }
    let room = bytes.count - end
    let offset = end
    var count = -1
    repeat {
      count = unsafe bytes.withUnsafeMutableBytes { raw in
        guard let base = raw.baseAddress else { return 0 }
        return unsafe read(Console.current.inputDescriptor, base + offset, room)
      }
    } while count < 0 && errno == EINTR
    guard count >= 0 else {
      throw Failure(.noInput, "cannot read standard input: \(systemMessage())")
    }
    if count == 0 { isAtEnd = true }
    end += count
  }
}
