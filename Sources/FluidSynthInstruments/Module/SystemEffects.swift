// SPDX-License-Identifier: Apache-2.0

/// The reverb and the chorus of a module, as messages set them.
///
/// - Note: Real-time safe.
struct SystemEffects: BitwiseCopyable {
  private(set) var reverb = ReverbProgram.initial
  private(set) var chorus = ChorusProgram.initial

  /// What a reset leaves.
  @_noAllocation @_noLocks
  init() {}

  /// Sets what a message orders, whose bytes without F0 are given; nothing if it is about something
  /// else.
  @_noAllocation @_noLocks
  mutating func take(_ order: SynthOrder, _ bytes: UnsafePointer<UInt8>) {
    switch order {
    case .initialReverb: reverb = .initial
    case .initialChorus: chorus = .initial
    case .reverb(let program): reverb = program
    case .chorus(let program): chorus = program
    case .reverbLevel(let level): reverb.level = min(1, level * ReverbProgram.nominalLevel)
    case .chorusLevel(let level): chorus.level = min(10, level * ChorusProgram.nominalLevel)
    case .globalReverb(let offset, let count):
      for place in 0..<count {
        let pair = unsafe bytes + offset + 2 &* place
        _ = unsafe reverb.set(gm2: pair[0], to: pair[1])
      }
    case .globalChorus(let offset, let count):
      for place in 0..<count {
        let pair = unsafe bytes + offset + 2 &* place
        _ = unsafe chorus.set(gm2: pair[0], to: pair[1])
      }
    default: break
    }
  }
}
