// SPDX-License-Identifier: Apache-2.0

/// The two bits by which MIDI Time Code and the SMF SMPTE offset name a frame rate.
///
/// Source: MIDI Time Code (RP-004/RP-008).
public enum MTCCode: UInt8, Hashable, BitwiseCopyable, Sendable, CaseIterable {
  /// 24 frames a second.
  case fps24 = 0
  /// 25 frames a second.
  case fps25 = 1
  /// 30 frames a second with drop-frame labels: 30000/1001.
  case fps30Drop = 2
  /// 30 frames a second.
  case fps30 = 3
}
