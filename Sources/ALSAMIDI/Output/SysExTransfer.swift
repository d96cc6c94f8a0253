// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicalTime

/// A SysEx message, or a part of one, on its way out, cut into pieces with a time for each.
///
/// A piece holds at most 256 bytes, because an event must fit the receiver's pool; only the first
/// begins with F0 and only the last ends with F7. The pieces follow each other at the speed of the
/// wire, so that no driver's buffer runs over.
struct SysExTransfer: Sendable {
  /// The most bytes in one piece.
  static let pieceLength = ALSAOutputPort.longestAtOnce

  /// Which part of its message it is; nil for all of it.
  let part: SysExPart?
  /// The bytes that leave, F0 and F7 included.
  let bytes: ContiguousArray<UInt8>
  /// When it was to leave.
  let time: HostTime
  /// When the first piece leaves.
  private(set) var start: HostTime
  /// Bytes a second.
  let speed: Int
  /// Its place among what the port was given, in order.
  let place: Int
  /// How many bytes were handed on.
  private(set) var handedOn = 0

  /// Cuts up a message given without its F0 and F7, or a part of one.
  ///
  /// - Parameters:
  ///   - payload: the bytes.
  ///   - part: which part of its message they are; nil for all of it.
  ///   - time: when it was to leave; nil for `start`.
  ///   - start: when the first piece leaves.
  ///   - speed: bytes a second.
  ///   - place: its place among what the port was given.
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

  /// The message, or the part of one, as it was given: without its F0 and F7.
  var payload: ContiguousArray<UInt8> {
    let start = bytes.first == 0xF0 ? 1 : 0
    let end = bytes.last == 0xF7 ? bytes.count - 1 : bytes.count
    return ContiguousArray(bytes[start..<end])
  }

  /// When the last piece leaves.
  var end: HostTime {
    time(atByte: (bytes.count - 1) / Self.pieceLength * Self.pieceLength)
  }

  /// Whether every piece was handed on.
  var isFinished: Bool { handedOn == bytes.count }

  /// Whether some pieces were handed on, and others were not.
  var isUnderWay: Bool { handedOn > 0 && !isFinished }

  /// Whether what has left of its message may be all of it that leaves.
  var canBeCutShort: Bool { part != nil || bytes.count > Self.pieceLength }

  /// Whether some pieces have left by `now`, and others, due at `time` or later, are taken back.
  func isCut(at time: HostTime, after now: HostTime) -> Bool {
    start <= now && (isUnderWay || bytes.count > Self.pieceLength && end >= time)
  }

  /// When the next piece leaves.
  var nextTime: HostTime { time(atByte: handedOn) }

  /// The next piece, as a range of `bytes`.
  var nextPiece: Range<Int> { handedOn..<min(handedOn + Self.pieceLength, bytes.count) }

  /// Has the pieces that were not handed on leave later, if the next is late: they never follow each
  /// other faster than the wire.
  mutating func postpone(to now: HostTime) {
    let late = now.nanoseconds(since: nextTime)
    if late > 0 { start = start.advanced(saturating: late) }
  }

  /// Counts the pieces that leave at an instant or later as not handed on.
  mutating func takeBack(from time: HostTime) {
    let offsets = stride(from: 0, to: handedOn, by: Self.pieceLength)
    handedOn = offsets.first { self.time(atByte: $0) >= time } ?? handedOn
  }

  /// Counts the next piece as handed on.
  mutating func advance() {
    handedOn = nextPiece.upperBound
  }

  /// How many bytes have left at an instant, by the pace.
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
