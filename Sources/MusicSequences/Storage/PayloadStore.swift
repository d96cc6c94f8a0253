// SPDX-License-Identifier: Apache-2.0
import MIDIMessages

/// The bytes of a track's meta, SysEx and user events, each after its length in four bytes.
///
/// SysEx is stored as it is sent, including F0, so that a player does not copy anything. Bytes of
/// removed events remain until the track is rebuilt.
struct PayloadStore: Sendable {
  private(set) var bytes: [UInt8] = []

  /// The most bytes of one track, because offsets have 32 bits.
  static let capacity = Int(UInt32.max)

  /// Adds a payload.
  ///
  /// - Returns: The offset to store in a record, or nil if the track is full.
  mutating func append(_ payload: some Collection<UInt8>, after prefix: UInt8? = nil) -> UInt32? {
    let size = payload.count + (prefix == nil ? 0 : 1)
    guard bytes.count + size + 4 <= Self.capacity else { return nil }
    let offset = UInt32(bytes.count)
    appendCount(size)
    if let prefix { bytes.append(prefix) }
    bytes.append(contentsOf: payload)
    return offset
  }

  private mutating func appendCount(_ count: Int) {
    for shift in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: count >> shift)) }
  }

  /// The range of the payload at a record's offset.
  func range(at offset: UInt32) -> PayloadRange {
    let start = Int(offset)
    let count =
      UInt32(bytes[start]) | UInt32(bytes[start + 1]) << 8 | UInt32(bytes[start + 2]) << 16
      | UInt32(bytes[start + 3]) << 24
    return PayloadRange(offset: offset + 4, count: count)
  }

  /// The bytes in a range.
  subscript(range: PayloadRange) -> ArraySlice<UInt8> {
    bytes[Int(range.offset)..<Int(range.offset) + Int(range.count)]
  }

  /// The payload of a record, without the F0 that begins a SysEx.
  func payload(of record: EventRecord) -> ArraySlice<UInt8> {
    let payload = self[range(at: record.extent)]
    return record.status == EventRecord.sysEx ? payload.dropFirst() : payload
  }
}
