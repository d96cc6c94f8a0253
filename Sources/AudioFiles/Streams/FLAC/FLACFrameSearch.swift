// SPDX-License-Identifier: Apache-2.0

/// Finds the frames of a FLAC stream, which do not state their lengths.
///
/// A frame is the range from a header to the next one, if its checksum is correct. A header inside
/// a damaged frame, or sound that looks like a header, is a candidate until a frame that starts
/// there is complete. Each byte is added to at most four checksums, for any input.
///
/// Source: RFC 9639, sections 9.1 and 9.3.
struct FLACFrameSearch: Sendable {
  /// A complete frame.
  struct Frame {
    let header: FLACFrameHeader
    /// The indices of its bytes.
    let range: Range<Int>
  }

  /// The reason why a search stopped.
  enum Stop {
    /// A frame is complete.
    case frame(Frame)
    /// Another stream or a tag starts at `place`.
    case mark
    /// More bytes are needed.
    case end
  }

  private struct Candidate {
    let header: FLACFrameHeader
    var start: Int
    /// The checksum of the bytes before `place`.
    var sum: UInt16 = 0
  }

  private static let candidateLimit = 4

  private let stream: FLACStreamBlock
  private let table = FLACChecksum.table
  /// Possible starts of frames, in order.
  private var candidates: [Candidate] = []
  /// The index of the next byte to examine.
  private(set) var place = 0
  private var isExamined = false
  /// True if a frame or a tag ends at `place`, so that a tag can start there.
  private var isBoundary = false
  /// True if frames are numbered by samples; nil before the first frame.
  private var isVariable: Bool?

  init(_ stream: FLACStreamBlock) {
    self.stream = stream
  }

  /// The index of the first byte that is still needed.
  var needed: Int { candidates.first?.start ?? place }

  /// Starts a search in other bytes.
  ///
  /// - Parameter isBoundary: True if the bytes follow a tag.
  mutating func restart(isBoundary: Bool = false) {
    candidates.removeAll()
    (place, isExamined, self.isBoundary) = (0, false, isBoundary)
  }

  /// Adjusts the indices after bytes were removed from the beginning.
  mutating func drop(_ count: Int) {
    place -= count
    for index in candidates.indices { candidates[index].start -= count }
  }

  /// Continues the search.
  ///
  /// - Parameters:
  ///   - bytes: The bytes, from the first needed one.
  ///   - isFinished: True if these are the last bytes.
  /// - Returns: The reason why the search stopped.
  /// - Complexity: O(n) in the number of new bytes.
  mutating func advance(in bytes: ArraySlice<UInt8>, isFinished: Bool) -> Stop {
    let end = isFinished ? bytes.count : bytes.count - FLACFrameHeader.largest
    while place < end {
      if !isExamined {
        isExamined = true
        if let stop = examine(bytes.dropFirst(place)) { return stop }
      }
      pass(bytes, upTo: end)
    }
    return isFinished ? completeFrame().map { .frame($0) } ?? .end : .end
  }

  /// Removes and returns the frame that ends at `place`, if there is one, and removes those before
  /// it.
  private mutating func completeFrame() -> Frame? {
    guard let index = candidates.firstIndex(where: { $0.sum == 0 && $0.start < place }) else {
      return nil
    }
    let found = candidates[index]
    candidates.removeAll()
    isVariable = found.header.isVariable
    return Frame(header: found.header, range: found.start..<place)
  }

  /// Examines the bytes at `place`.
  private mutating func examine(_ rest: ArraySlice<UInt8>) -> Stop? {
    if let first = candidates.first, place - first.start >= stream.mostFrameBytes {
      candidates.removeFirst()
    }
    if let header = header(rest) {
      let frame = completeFrame()
      if candidates.count < Self.candidateLimit {
        candidates.append(Candidate(header: header, start: place))
      }
      return frame.map { .frame($0) }
    }
    // Elsewhere the letters of a tag can be part of the sound.
    let isTag = (isBoundary || candidates.first?.sum == 0) && TrailingTag.begins(rest)
    guard isTag || FLACStreamParser.isStreamMark(rest) else { return nil }
    if let frame = completeFrame() {
      (isExamined, isBoundary) = (false, true)
      return .frame(frame)
    }
    candidates.removeAll()
    return .mark
  }

  private func header(_ rest: ArraySlice<UInt8>) -> FLACFrameHeader? {
    guard rest.first == 0xFF, let header = FLACFrameHeader(rest), header.belongs(to: stream),
      header.isVariable == isVariable ?? header.isVariable
    else { return nil }
    return header
  }

  /// Adds at least one byte to the checksums, and all bytes up to the next one to examine.
  private mutating func pass(_ bytes: ArraySlice<UInt8>, upTo end: Int) {
    (isExamined, isBoundary) = (false, false)
    guard candidates.count == 1 else { return passOne(bytes, upTo: end) }
    let last = min(end, candidates[0].start + stream.mostFrameBytes)
    let (base, table) = (bytes.startIndex, table)
    var (sum, next) = (candidates[0].sum, place)
    repeat {
      sum = FLACChecksum.add(bytes[base + next], to: sum, table)
      next += 1
    } while next < last && sum != 0 && !Self.mayBegin(bytes[base + next])
    (candidates[0].sum, place) = (sum, next)
  }

  private mutating func passOne(_ bytes: ArraySlice<UInt8>, upTo end: Int) {
    let byte = bytes[bytes.startIndex + place]
    for index in candidates.indices {
      candidates[index].sum = FLACChecksum.add(byte, to: candidates[index].sum, table)
    }
    place += 1
    guard candidates.isEmpty else { return }
    while place < end, !Self.mayBegin(bytes[bytes.startIndex + place]) { place += 1 }
  }

  /// True if a header or a stream can start with a byte.
  @inline(__always)
  private static func mayBegin(_ byte: UInt8) -> Bool {
    byte == 0xFF || byte == UInt8(ascii: "f")
  }
}
