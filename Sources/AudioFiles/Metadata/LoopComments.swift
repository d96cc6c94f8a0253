// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Adds the comments `LOOPSTART` and `LOOPLENGTH` to a FLAC, Ogg or Opus file.
///
/// Players of game music read these comments, but libsndfile cannot write them. A placeholder of
/// the same size is therefore written as the license comment, and replaced when the file is
/// finished, so that no other byte moves.
///
/// Sources: RFC 9639, section 8.6 (FLAC); the Ogg Vorbis I specification, section 5; RFC 7845.
struct LoopComments {
  private let comments: [UInt8]

  // libsndfile writes the name in lower case into FLAC files, and in capitals into the others.
  private static let names = ["license=", "LICENSE="]
  /// The comments start within this number of bytes.
  private static let headBytes = 1 << 16

  /// Creates the comments of a loop, in frames.
  init(_ frames: Range<Int64>) {
    let texts = ["LOOPSTART=\(frames.lowerBound)", "LOOPLENGTH=\(frames.count)"]
    comments = texts.flatMap { Self.word($0.utf8.count) + Array($0.utf8) }
  }

  /// The license text to write as a placeholder.
  var placeholder: String {
    String(repeating: "~", count: comments.count - 4 - Self.names[0].utf8.count)
  }

  /// Replaces the placeholder; returns false if it is not found.
  func write(to stream: FileStream) -> Bool {
    var head = [UInt8](repeating: 0, count: Self.headBytes)
    guard stream.seek(0, SEEK_SET) == 0 else { return false }
    let count = unsafe head.withUnsafeMutableBytes { bytes in
      unsafe bytes.baseAddress.map { unsafe stream.read($0, bytes.count) } ?? 0
    }
    guard let list = Self.list(in: head[..<count]), put(into: &head, list, end: count),
      stream.seek(0, SEEK_SET) == 0
    else { return false }
    return unsafe head.withUnsafeBytes { bytes in
      unsafe bytes.baseAddress.map { unsafe stream.write($0, count) } == count
    }
  }

  private func put(into head: inout [UInt8], _ list: Int, end: Int) -> Bool {
    guard let vendor = Self.number(head, list, end) else { return false }
    let place = list + 4 + vendor
    guard let count = Self.number(head, place, end) else { return false }
    let held = Self.names.map { Array(($0 + placeholder).utf8) }
    var entry = place + 4
    for _ in 0..<count {
      guard let size = Self.number(head, entry, end), entry + 4 + size <= end else { return false }
      if held.contains(Array(head[entry + 4..<entry + 4 + size])) {
        head.replaceSubrange(entry..<entry + 4 + size, with: comments)
        head.replaceSubrange(place..<place + 4, with: Self.word(count + 1))
        return true
      }
      entry += 4 + size
    }
    return false
  }

  /// The position of the list of comments.
  private static func list(in head: ArraySlice<UInt8>) -> Int? {
    if head.starts(with: Array("fLaC".utf8)) {
      var place = 4
      while place + 4 <= head.count {
        if head[place] & 0x7F == 4 { return place + 4 }
        place += 4 + head[place + 1..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      }
      return nil
    }
    for mark in [[3] + Array("vorbis".utf8), Array("OpusTags".utf8)] {
      if let place = head.indices.first(where: { head[$0...].starts(with: mark) }) {
        return place + mark.count
      }
    }
    return nil
  }

  private static func number(_ bytes: [UInt8], _ place: Int, _ end: Int) -> Int? {
    guard place >= 0, place + 4 <= end else { return nil }
    return (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
  }

  private static func word(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
