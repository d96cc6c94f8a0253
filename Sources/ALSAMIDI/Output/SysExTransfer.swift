// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicalTime

/// A SysEx message, or a part of one, that is sent in pieces with a time for each.
///
/// A piece has at most 256 bytes, because an event must fit into the receiver's pool. Only the
/// first begins with F0, and only the last ends with F7. The pieces follow each other at the speed
/// of the cable, so that no driver's buffer overflows.
struct SysExTransfer: Sendable {
  /// The maximum number of bytes in a piece.
  static let pieceLength = ALSAOutputPort.longestAtOnce

  /// The part of the message; nil for all of it.
  let part: SysExPart?
  /// The bytes that are sent, including F0 and F7.
  let bytes: ContiguousArray<UInt8>
  /// The original time.
  let time: HostTime
  /// The time of the first piece.
  private(set) var start: HostTime
  /// Bytes per second.
  let speed: Int
  /// Its position in the order of sending.
  let place: Int
  /// The number of bytes passed on.
  private(set) var handedOn = 0

  /// Creates the transfer of a message given without its F0 and F7, or of a part of one.
  ///
  /// - Parameters:
  ///   - payload: The bytes.
  ///   - part: The part of the message; nil for all of it.
  ///   - time: The original time; nil for `start`.
  ///   - start: The time of the first piece.
  ///   - speed: Bytes per second.
  ///   - place: Its position in the order of sending.
  /// - Precondition: `speed` is above zero.
  init(
    payload: Span<UInt8>, part: SysExPart? = nil, time: HostTime? = nil, start: HostTime,
    speed: Int, place: Int = 0
  ) {
    precondition(speed > 0, "the SysEx speed must be above 0")
    var bytes: ContiguousArray<UInt8> = []
    bytes.reserveCapacity(payload.count + 2)
    if part == nil || part == .first { bytes.append(0xF0) }
    for index in payload.indices { bytes.append(payload[index] & 0x7F) }
    if part != .first, part != .middle { bytes.append(0xF7) }
    self.part = part
    self.bytes = bytes
    self.time = time ?? start
    self.start = start
    self.speed = speed
    self.place = place
  }

  /// The message, or the part of one, without its F0 and F7.
  var payload: ContiguousArray<UInt8> {
    let start = bytes.first == 0xF0 ? 1 : 0
    let end = bytes.last == 0xF7 ? bytes.count - 1 : bytes.count
    return ContiguousArray(bytes[start..<end])
  }

  /// The time of the last piece.
  var end: HostTime {
    time(atByte: (bytes.count - 1) / Self.pieceLength * Self.pieceLength)
  }

  /// True if every piece was passed on.
  var isFinished: Bool { handedOn == bytes.count }

  /// True if some pieces were passed on, and others were not.
  var isUnderWay: Bool { handedOn > 0 && !isFinished }

  /// True if it can be interrupted between its first and its last byte.
  var canBeCutShort: Bool { part != nil || bytes.count > Self.pieceLength }

  /// Returns true if some pieces have left by `now`, and others, due at `time` or later, are
  /// cancelled.
  func isCut(at time: HostTime, after now: HostTime) -> Bool {
    start <= now && (isUnderWay || bytes.count > Self.pieceLength && end >= time)
  }

  /// The time of the next piece.
  var nextTime: HostTime { time(atByte: handedOn) }

  /// The next piece, as a range of `bytes`.
  var nextPiece: Range<Int> { handedOn..<min(handedOn + Self.pieceLength, bytes.count) }

  /// Delays the pieces that were not passed on if the next is late: they never follow each other
  /// faster than the speed allows.
  mutating func postpone(to now: HostTime) {
    let late = now.nanoseconds(since: nextTime)
    if late > 0 { start = start.advanced(saturating: late) }
  }

  /// Counts the pieces due at or after an instant as not passed on.
  mutating func takeBack(from time: HostTime) {
    let offsets = stride(from: 0, to: handedOn, by: Self.pieceLength)
    handedOn = offsets.first { self.time(atByte: $0) >= time } ?? handedOn
  }

  /// Counts the next piece as passed on.
  mutating func advance() {
    handedOn = nextPiece.upperBound
  }

  /// Returns the number of bytes sent at an instant, according to the speed.
  ///
  /// - Complexity: O(n) in the number of pieces.
  func sent(at time: HostTime) -> Int {
    guard time >= start else { return 0 }
    let offsets = stride(from: 0, to: handedOn, by: Self.pieceLength)
    return offsets.first { self.time(atByte: $0) > time } ?? handedOn
  }

  private func time(atByte offset: Int) -> HostTime {
    start.advanced(saturating: Int64(offset) * 1_000_000_000 / Int64(speed))
  }
}
