// SPDX-License-Identifier: Apache-2.0

extension MTCTime {
  /// The hours byte of a message: the rate code, followed by five bits of hours.
  var hoursByte: UInt8 { code.rawValue << 5 | hours }

  /// Returns the bytes of a full-frame message.
  ///
  /// Source: MIDI Time Code (RP-004/RP-008), full message.
  ///
  /// - Parameter device: The number of the device that the message is for, 0…127; 127 (the default)
  ///   is all devices.
  /// - Returns: `F0 7F device 01 01 hours minutes seconds frames F7`.
  public func fullFrame(device: UInt8 = 0x7F) -> [UInt8] {
    [0xF0, 0x7F, device & 0x7F, 0x01, 0x01, hoursByte, minutes, seconds, frames, 0xF7]
  }

  /// Creates a time from the bytes of a full-frame message.
  ///
  /// - Throws: `TimeError.malformed` for other bytes; `TimeError.fieldOutOfRange` and
  ///   `TimeError.droppedLabel` for a time code that does not exist.
  public init(fullFrame bytes: [UInt8]) throws(TimeError) {
    let frame: [UInt8?] = [0xF0, 0x7F, nil, 0x01, 0x01, nil, nil, nil, nil, 0xF7]
    guard bytes.count == frame.count else {
      throw .malformed(text: "full frame", offset: bytes.count, reason: "expected 10 bytes")
    }
    for (offset, (byte, expected)) in zip(bytes, frame).enumerated() {
      guard byte == expected ?? (byte & 0x7F) else {
        throw .malformed(text: "full frame", offset: offset, reason: "unexpected byte")
      }
    }
    try self.init(hoursByte: bytes[5], minutes: bytes[6], seconds: bytes[7], frames: bytes[8])
  }

  /// Returns the data byte of one of the eight quarter-frame messages.
  ///
  /// Its high four bits are the number of the message, and its low four bits are data.
  ///
  /// Message 0 has the low four bits of the frames, and message 7 the rate code.
  ///
  /// Source: MIDI Time Code (RP-004/RP-008), quarter-frame messages.
  ///
  /// - Parameter piece: The number of the message, 0…7; taken modulo 8.
  /// - Returns: The byte that follows `F1`.
  /// - Note: Real-time safe.
  public func quarterFrame(_ piece: Int) -> UInt8 {
    let piece = UInt8(truncatingIfNeeded: piece & 7)
    let field =
      switch piece >> 1 {
      case 0: frames
      case 1: seconds
      case 2: minutes
      default: hoursByte
      }
    return piece << 4 | (piece & 1 == 0 ? field & 0x0F : field >> 4)
  }

  /// Creates a time from the data bytes of the quarter-frame messages 0 to 7, in this order.
  ///
  /// The time code is that of the moment at which message 0 was sent. When message 7 arrives during
  /// forward playback, two frames have passed.
  ///
  /// - Throws: `TimeError.malformed` if the bytes are not messages 0 to 7;
  ///   `TimeError.fieldOutOfRange` and `TimeError.droppedLabel` for a time code that does not
  ///   exist.
  public init(quarterFrames bytes: [UInt8]) throws(TimeError) {
    for (offset, byte) in bytes.enumerated() where byte >> 4 != offset {
      throw .malformed(
        text: "quarter frames", offset: offset, reason: "expected piece \(offset)")
    }
    guard bytes.count == 8 else {
      throw .malformed(
        text: "quarter frames", offset: bytes.count, reason: "expected 8 pieces")
    }
    func field(_ low: Int) -> UInt8 { (bytes[low] & 0x0F) | (bytes[low + 1] & 0x0F) << 4 }
    try self.init(hoursByte: field(6), minutes: field(4), seconds: field(2), frames: field(0))
  }

  private init(
    hoursByte: UInt8, minutes: UInt8, seconds: UInt8, frames: UInt8
  ) throws(TimeError) {
    guard let code = MTCCode(rawValue: hoursByte >> 5) else {
      throw .fieldOutOfRange(field: "hours byte", value: "\(hoursByte)", range: "0…127")
    }
    try self.init(
      code: code, hours: hoursByte & 0x1F, minutes: minutes, seconds: seconds, frames: frames)
  }
}
