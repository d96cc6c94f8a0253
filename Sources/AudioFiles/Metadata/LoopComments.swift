// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Gives a FLAC, Ogg or Opus file the comments `LOOPSTART` and `LOOPLENGTH`, which players of
/// games' music read.
///
/// libsndfile writes no comments but those it has names for. One of these holds their place, to the
/// byte, and gives it up when the file is finished: no other byte of the file moves.
///
/// Sources: RFC 9639, section 8.6 (FLAC); the Ogg Vorbis I specification, section 5; RFC 7845.
struct LoopComments {
  private let comments: [UInt8]

  // libsndfile writes it in small letters into FLAC files, in capitals into the others.
  private static let names = ["license=", "LICENSE="]
  /// The comments come after at most as many bytes.
  private static let headBytes = 1 << 16

  /// The comments of a loop, in frames.
  init(_ frames: Range<Int64>) {
    let texts = ["LOOPSTART=\(frames.lowerBound)", "LOOPLENGTH=\(frames.count)"]
    comments = texts.flatMap { Self.word($0.utf8.count) + Array($0.utf8) }
  }

  /// What is written as the license until then.
  var placeholder: String {
    String(repeating: "~", count: comments.count - 4 - Self.names[0].utf8.count)
  }

  /// Puts the comments where their place was held; returns false where that is not found.
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

  /// Where the list of comments begins.
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
