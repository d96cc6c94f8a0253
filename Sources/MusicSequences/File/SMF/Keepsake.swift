// SPDX-License-Identifier: Apache-2.0

/// Sequencer-specific meta events for data that a Standard MIDI File does not support.
///
/// They begin with the non-commercial manufacturer ID (7D), the letters `dbt` and a kind. Other
/// programs ignore them.
///
/// Source: Standard MIDI Files 1.0 (RP-001), Sequencer-Specific Meta-Event.
enum Keepsake {
  private static let mark: [UInt8] = [0x7D, 0x64, 0x62, 0x74]

  static let settings = mark + [0]
  static let user = mark + [1]
  static let parameter = mark + [2]
  static let state = mark + [3]

  /// The most bytes of unit state in one meta event.
  static let stateLimit = 0x0FFF_FFFF - state.count
}

extension MusicTrack {
  /// True if a stored meta event would be read as another kind of event.
  func isKeepsake(_ record: EventRecord) -> Bool {
    guard record.isMeta(0x7F) else { return false }
    let payload = payloads.payload(of: record)
    return payload.starts(with: Keepsake.user)
      || payload.starts(with: Keepsake.parameter) && payload.count == Keepsake.parameter.count + 17
  }

  /// True if a stored event is the file's copy of the settings.
  ///
  /// It is not written, because the settings are.
  func isSettingsMeta(_ record: EventRecord) -> Bool {
    guard record.isMeta(0x7F) else { return false }
    let payload = payloads.payload(of: record)
    return payload.starts(with: Keepsake.state) || TrackSettings(keepsake: payload) != nil
  }
}

extension TrackSettings {
  /// The payloads of the meta events that store the settings; empty for default settings.
  var metaPayloads: [[UInt8]] {
    var others = self
    others.unitState = []
    return (others == TrackSettings() ? [] : [Keepsake.settings + bytes])
      + (unitState.isEmpty ? [] : [Keepsake.state + unitState])
  }

  private var bytes: [UInt8] {
    let flags: [Bool] = [isMuted, isSoloed, isAutomation, loop != nil, destination != nil]
    let flagByte = flags.enumerated().reduce(UInt8(0)) { $0 | ($1.element ? 1 << $1.offset : 0) }
    let numbers = [offset, loop?.length ?? 0, Int64(loop?.count ?? 0)]
    return [flagByte] + numbers.flatMap(Self.bytes) + Array((destination ?? "").utf8)
  }

  private static func bytes(_ number: Int64) -> [UInt8] {
    let word = UInt64(bitPattern: number)
    return bigEndianBytes(UInt32(truncatingIfNeeded: word >> 32))
      + bigEndianBytes(UInt32(truncatingIfNeeded: word))
  }

  /// Reads the settings that a meta event stores, or returns nil if its bytes are not valid
  /// settings.
  init?(keepsake payload: some Collection<UInt8>) {
    guard payload.starts(with: Keepsake.settings) else { return nil }
    let bytes = Array(payload.dropFirst(Keepsake.settings.count))
    guard bytes.count >= 25 else { return nil }
    self.init()
    let numbers = stride(from: 1, to: 25, by: 8).map { start in
      Int64(bitPattern: bytes[start..<start + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
    let (offset, length, count) = (numbers[0], numbers[1], numbers[2])
    let ticks = Int64(EventRecord.maximumTick)
    guard (-ticks...ticks).contains(offset) else { return nil }
    let hasLoop = bytes[0] & 8 != 0
    guard !hasLoop || (1...ticks).contains(length) && count >= 0 else {
      return nil
    }
    self.offset = offset
    if hasLoop { loop = Loop(length: length, count: Int(count)) }
    isMuted = bytes[0] & 1 != 0
    isSoloed = bytes[0] & 2 != 0
    isAutomation = bytes[0] & 4 != 0
    if bytes[0] & 16 != 0 || bytes.count > 25 {
      destination = String(decoding: bytes[25...], as: UTF8.self)
    }
  }
}
