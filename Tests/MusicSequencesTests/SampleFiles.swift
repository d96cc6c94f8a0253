// SPDX-License-Identifier: Apache-2.0

/// Small files made by hand.
enum SampleFiles {
  /// A file of one track, whose end of track is added.
  static func file(
    format: UInt8 = 0, division: [UInt8] = [0x01, 0xE0], track: [UInt8]..., ending: Bool = false
  ) -> [UInt8] {
    var bytes: [UInt8] = [0x4D, 0x54, 0x68, 0x64, 0, 0, 0, 6, 0, format, 0, UInt8(track.count)]
    bytes += division
    for part in track {
      let whole = ending ? part + [0, 0xFF, 0x2F, 0] : part
      bytes += [0x4D, 0x54, 0x72, 0x6B]
      bytes += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: whole.count >> $0) }
      bytes += whole
    }
    return bytes
  }

  /// Every kind of event: metas, notes that overlap, SysEx in packets, an escape, controllers.
  static let everything: [UInt8] = file(
    format: 1,
    track: [
      0, 0xFF, 0x03, 4, 0x53, 0x6F, 0x6E, 0x67, 0, 0xFF, 0x51, 3, 7, 0xA1, 0x20, 0, 0xFF, 0x58, 4,
      6, 3, 24, 8, 0, 0xFF, 0x59, 2, 0xFE, 1, 0, 0xFF, 0x54, 5, 0x21, 2, 3, 4, 5, 0x83, 0x60,
      0xFF, 0x06, 2, 0x41, 0x42,
    ],
    [
      0, 0xC0, 5, 0, 0xB0, 7, 100, 10, 0xE0, 1, 0x41, 0, 0x90, 60, 64, 10, 0x90, 60, 80, 20, 0x80,
      60, 30, 20, 0x80, 60, 31, 0, 0xF0, 3, 0x7E, 9, 1, 10, 0xF7, 2, 2, 0xF7, 0, 0xF7, 1, 0xFA, 0,
      0xA0, 60, 3, 0, 0xD0, 4, 0, 0xFF, 0x7F, 2, 0x41, 1, 0x81, 0, 0xFF, 0x05, 2, 0x6C, 0x61,
    ], ending: true)

  /// Running status, note-offs as note-ons of velocity zero, and a note that never ends.
  static let runningStatus: [UInt8] = file(
    track: [
      0, 0x99, 36, 100, 0x60, 36, 0, 0, 38, 90, 0x60, 38, 0, 0, 40, 1, 0x60, 40, 0, 0, 42, 99,
    ], ending: true)

  /// A file in a RIFF wrapper.
  static let riff: [UInt8] = {
    let file = runningStatus
    let size = UInt8(file.count)
    return [0x52, 0x49, 0x46, 0x46, size + 12, 0, 0, 0, 0x52, 0x4D, 0x49, 0x44]
      + [0x64, 0x61, 0x74, 0x61, size, 0, 0, 0] + file
  }()
}
