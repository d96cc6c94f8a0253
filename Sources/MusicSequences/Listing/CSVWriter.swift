// SPDX-License-Identifier: Apache-2.0
import MusicalTime

/// Writes events as rows in the format of midicsv: track, tick, name, values.
///
/// The rows are byte for byte those of midicsv 1.1, with one exception: a meta event whose length
/// is wrong for its type, which midicsv loses, is written as an `Unknown_meta_event`. Texts are the
/// bytes of the file in any encoding, with doubled quotation marks and with control characters as
/// `\012`.
///
/// Source: midicsv(5).
public struct CSVWriter: Sendable {
  /// The events of the file, with the bytes of SysEx and meta events to which the rows refer.
  public let events: FileEvents
  private static let names = CSVName.messages.map { Array(", \($0.rawValue), ".utf8) }

  /// Creates a writer for the events of a file.
  public init(_ events: FileEvents) {
    self.events = events
  }

  /// Appends the first row of a file.
  ///
  /// A division in SMPTE frames is a negative number.
  public func appendHeader(to out: inout [UInt8]) {
    let bits = Int16(bitPattern: events.division.smfBits ?? 480)
    let numbers = "\(events.format.rawValue), \(events.tracks.count), \(bits)"
    out.append(contentsOf: "0, 0, Header, \(numbers)\n".utf8)
  }

  /// Appends the first row of a track.
  public func appendStart(ofTrack index: Int, to out: inout [UInt8]) {
    out.append(contentsOf: "\(index + 1), 0, Start_track\n".utf8)
  }

  /// Appends the last row of a file.
  public func appendEndOfFile(to out: inout [UInt8]) {
    out.append(contentsOf: "0, 0, End_of_file\n".utf8)
  }

  /// Appends the row of an event.
  public func append(_ event: FileEvent, to out: inout [UInt8]) {
    appendNumber(UInt64(event.track) + 1, to: &out)
    appendSeparator(to: &out)
    appendNumber(UInt64(event.tick.value), to: &out)
    if event.status < 0xF0 {
      appendMessage(event, to: &out)
    } else {
      appendPayload(event, to: &out)
    }
    out.append(UInt8(ascii: "\n"))
  }

  @inline(__always)
  private func appendMessage(_ event: FileEvent, to out: inout [UInt8]) {
    out.append(contentsOf: Self.names[Int(event.status >> 4) - 8])
    appendNumber(UInt64(event.status & 0x0F), to: &out)
    appendSeparator(to: &out)
    switch event.status & 0xF0 {
    case 0xC0, 0xD0: appendNumber(UInt64(event.data1), to: &out)
    case 0xE0: appendNumber(UInt64(event.bend), to: &out)
    default:
      appendNumber(UInt64(event.data1), to: &out)
      appendSeparator(to: &out)
      appendNumber(UInt64(event.data2), to: &out)
    }
  }

  private func appendPayload(_ event: FileEvent, to out: inout [UInt8]) {
    let payload = events.payload(of: event)
    switch event.status {
    case 0xF0: appendBytes(.sysEx, payload, to: &out)
    case 0xF7: appendBytes(.packet, payload, to: &out)
    default: appendMeta(event.data1, payload, to: &out)
    }
  }

  private func appendMeta(_ type: UInt8, _ payload: ArraySlice<UInt8>, to out: inout [UInt8]) {
    switch type {
    case 0x01...0x07:
      append(CSVName.texts[Int(type) - 1], to: &out)
      appendSeparator(to: &out)
      appendText(payload, to: &out)
    case 0x2F: append(.endTrack, to: &out)
    case 0x7F: appendBytes(.sequencerSpecific, payload, to: &out)
    default:
      if !appendKnown(type, payload, to: &out) {
        appendBytes(.unknownMeta, payload, after: type, to: &out)
      }
    }
  }

  /// Appends the row of a meta event with numbers, if its bytes are valid for its type.
  private func appendKnown(
    _ type: UInt8, _ payload: ArraySlice<UInt8>, to out: inout [UInt8]
  ) -> Bool {
    let bytes = Array(payload)
    switch (type, bytes.count) {
    case (0x00, 2): append(.sequenceNumber, [Int(bytes[0]) << 8 | Int(bytes[1])], to: &out)
    case (0x20, 1): append(.channelPrefix, [Int(bytes[0])], to: &out)
    case (0x21, 1): append(.port, [Int(bytes[0])], to: &out)
    case (0x51, 3):
      let length = Int(bytes[0]) << 16 | Int(bytes[1]) << 8 | Int(bytes[2])
      append(.tempo, [length], to: &out)
    case (0x54, 5): append(.smpteOffset, bytes.map(Int.init), to: &out)
    case (0x58, 4): append(.timeSignature, bytes.map(Int.init), to: &out)
    case (0x59, 2) where bytes[1] < 2:
      append(.keySignature, [Int(Int8(bitPattern: bytes[0]))], to: &out)
      out.append(contentsOf: (bytes[1] == 0 ? ", \"major\"" : ", \"minor\"").utf8)
    default: return false
    }
    return true
  }

  private func append(_ name: CSVName, _ values: [Int] = [], to out: inout [UInt8]) {
    appendSeparator(to: &out)
    out.append(contentsOf: name.rawValue.utf8)
    for value in values { out.append(contentsOf: ", \(value)".utf8) }
  }

  private func appendBytes(
    _ name: CSVName, _ payload: ArraySlice<UInt8>, after type: UInt8? = nil, to out: inout [UInt8]
  ) {
    append(name, to: &out)
    if let type { out.append(contentsOf: ", \(type)".utf8) }
    appendSeparator(to: &out)
    appendNumber(UInt64(payload.count), to: &out)
    for byte in payload {
      appendSeparator(to: &out)
      appendNumber(UInt64(byte), to: &out)
    }
  }

  private func appendText(_ payload: ArraySlice<UInt8>, to out: inout [UInt8]) {
    out.append(UInt8(ascii: "\""))
    for byte in payload {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): out.append(contentsOf: [byte, byte])
      case 0x00...0x1F, 0x7F...0xA0: appendOctal(byte, to: &out)
      default: out.append(byte)
      }
    }
    out.append(UInt8(ascii: "\""))
  }

  private func appendOctal(_ byte: UInt8, to out: inout [UInt8]) {
    out.append(UInt8(ascii: "\\"))
    for shift in [6, 3, 0] { out.append(UInt8(ascii: "0") + (byte >> UInt8(shift) & 7)) }
  }

  @inline(__always)
  private func appendSeparator(to out: inout [UInt8]) {
    out.append(UInt8(ascii: ","))
    out.append(UInt8(ascii: " "))
  }
}

/// Appends a number in decimal digits.
@inline(__always)
func appendNumber(_ number: UInt64, to out: inout [UInt8]) {
  if number < 10 {
    out.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number))
    return
  }
  appendDigits(number, to: &out)
}

/// Appends the digits of a number above 9, written from the last to the first.
private func appendDigits(_ number: UInt64, to out: inout [UInt8]) {
  let start = out.count
  var rest = number
  while rest > 0 {
    out.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
    rest /= 10
  }
  out[start...].reverse()
}
