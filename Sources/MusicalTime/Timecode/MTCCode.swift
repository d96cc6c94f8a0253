// SPDX-License-Identifier: Apache-2.0

/// The two-bit code of a frame rate in MIDI time code and in the SMPTE offset of a MIDI file.
///
/// Source: MIDI Time Code (RP-004/RP-008).
public enum MTCCode: UInt8, Hashable, BitwiseCopyable, Sendable, CaseIterable {
  /// 24 frames per second.
  case fps24 = 0
  /// 25 frames per second.
  case fps25 = 1
  /// 30 frames per second, drop-frame; actually 30000/1001.
  case fps30Drop = 2
  /// 30 frames per second.
  case fps30 = 3
}
