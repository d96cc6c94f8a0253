// SPDX-License-Identifier: Apache-2.0

/// The settings of a module's reverb and chorus, as set by messages.
///
/// - Note: Real-time safe.
struct SystemEffects: BitwiseCopyable {
  private(set) var reverb = ReverbSettings()
  private(set) var chorus = ChorusSettings()

  /// The settings after a reset.
  @_noAllocation @_noLocks
  init() {}

  /// Applies a message, given as an order and its bytes without F0; other orders are ignored.
  @_noAllocation @_noLocks
  mutating func take(_ order: SynthOrder, _ bytes: UnsafePointer<UInt8>) {
    switch order {
    case .initialReverb: reverb = ReverbSettings()
    case .initialChorus: chorus = ChorusSettings()
    case .system(let isXG, let low, let offset, let count):
      for place in 0..<min(count, 128 &- low) {
        unsafe set(isXG: isXG, low &+ place, to: Int(bytes[offset &+ place] & 0x7F))
      }
    case .globalReverb(let offset, let count):
      for place in 0..<count {
        let pair = unsafe bytes + offset + 2 &* place
        unsafe reverb.set(gm2: pair[0], to: pair[1])
      }
    case .globalChorus(let offset, let count):
      for place in 0..<count {
        let pair = unsafe bytes + offset + 2 &* place
        unsafe chorus.set(gm2: pair[0], to: pair[1])
      }
    default: break
    }
  }
  @_noAllocation @_noLocks
  private mutating func set(isXG: Bool, _ address: Int, to value: Int) {
    switch (isXG, address) {
    case (false, 0x30...0x37): reverb.set(gs: address, to: value)
    case (false, 0x38...0x40): chorus.set(gs: address, to: value)
    case (true, 0x00...0x15): reverb.set(xg: address, to: value)
    case (true, 0x20...0x35): chorus.set(xg: address, to: value)
    default: break
    }
  }
}
