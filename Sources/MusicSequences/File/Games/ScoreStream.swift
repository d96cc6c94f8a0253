// SPDX-License-Identifier: Apache-2.0

/// Reads the bytes of a game's score in order, and collects its events.
struct ScoreStream {
  /// The repair that is reported if the bytes end before the score does.
  let endingKind: Repair.Kind
  private let reader: ByteReader
  private(set) var offset: Int
  private let end: Int
  private(set) var isFinished = false
  var builder = ScoreBuilder()

  init(_ reader: ByteReader, _ place: Range<Int>, endingKind: Repair.Kind) {
    self.reader = reader
    self.endingKind = endingKind
    offset = place.lowerBound
    end = place.upperBound
  }

  mutating func finish() {
    isFinished = true
  }

  /// Reports a defect of the byte just read, and ends the score there.
  mutating func finish(_ kind: Repair.Kind, value: Int = 0) {
    builder.note(kind, at: offset, value: value)
    isFinished = true
  }

  mutating func next() -> UInt8? {
    guard offset < end else {
      if !isFinished { finish(endingKind) }
      return nil
    }
    defer { offset += 1 }
    return reader.bytes[offset]
  }

  /// A data byte.
  ///
  /// A value above 127 is read as 127.
  mutating func nextData() -> UInt8? {
    guard let byte = next() else { return nil }
    if byte > 127 { builder.note(.dataByte, at: offset - 1, value: Int(byte)) }
    return min(byte, 127)
  }

  /// A variable-length number of at most nine bytes.
  mutating func quantity() -> UInt64? {
    var value: UInt64 = 0
    for _ in 0..<9 {
      guard let byte = next() else { return nil }
      value = value << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { return value }
    }
    finish(.endlessQuantity)
    return nil
  }

  /// The bytes of a block that begins with its length.
  mutating func payload() -> ArraySlice<UInt8>? {
    guard let length = quantity() else { return nil }
    guard length <= UInt64(end - offset) else {
      finish(.truncatedPayload, value: Int(clamping: length))
      return nil
    }
    defer { offset += Int(length) }
    return reader.bytes[offset..<offset + Int(length)]
  }
}
