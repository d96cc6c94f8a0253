// SPDX-License-Identifier: Apache-2.0

/// The two-bit code of a frame rate in MIDI time code and in the SMPTE offset of a MIDI file.
///
/// Source: MIDI Time Code (RP-004/RP-008).
public enum MTCCode: UInt8, Hashable, BitwiseCopyable, Sendable, CaseIterable {
  /// 24 or 24000/1001 frames per second.
  case fps24 = 0
  /// 25 or 25000/1001 frames per second.
  case fps25 = 1
  /// 30 drop-frame; the actual rate is usually 30000/1001 frames per second.
  case fps30Drop = 2
  /// 30 or 30000/1001 frames per second, without drop-frame.
  case fps30 = 3
}
