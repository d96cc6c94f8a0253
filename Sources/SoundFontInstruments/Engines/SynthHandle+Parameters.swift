// SPDX-License-Identifier: Apache-2.0
internal import CFluidSynth

/// The parameter that a channel selects by controllers 98 to 101.
///
/// FluidSynth adds each controller 98 to a sum without a limit, and uses the sum as an index.
/// Downbeat therefore keeps the sum itself, and sends the number to FluidSynth only together with
/// its value. Positions in samples are not sent.
///
/// Source: SoundFont 2.04, section 9.6.2.
struct GeneratorSelection: BitwiseCopyable {
  /// True if the last selection was an NRPN, false for an RPN.
  private(set) var isNRPN = false
  /// The last controllers 99 and 98, 0...127.
  private(set) var upper: UInt8 = 127
  private(set) var lower: UInt8 = 127
  /// The selected generator; it saturates at `limit`, a number that no generator has.
  private(set) var generator: UInt8 = 0

  private static var limit: UInt8 {
    @_noAllocation @_noLocks
    get { 99 }
  }

  /// True if a generator is a position in a sample: its start or end, or those of its loop.
  ///
  /// FluidSynth 2.3 applies these to sounding notes, and then reads outside the sample.
  @_noAllocation @_noLocks
  private static func isPlace(_ generator: UInt8) -> Bool {
    generator <= 4 || generator == 12 || generator == 45 || generator == 50
  }

  @_noAllocation @_noLocks
  init() {}

  /// Receives controller 98 to 101, or 121.
  @_noAllocation @_noLocks
  mutating func receive(_ number: UInt8, _ value: UInt8) {
    switch number {
    case 98:
      (isNRPN, lower) = (true, value)
      guard upper == 120 else { return }
      let step = value < 100 ? value : value < 103 ? Self.limit : 0
      generator = min(generator &+ step, Self.limit)
    case 99: (isNRPN, upper, lower, generator) = (true, value, 0, 0)
    case 100, 101: isNRPN = false
    case 121: (upper, lower) = (127, 127)
    default: break
    }
  }

  /// The controllers 99 and 98 to send before a value (controller 6), or nil for an RPN.
  ///
  /// The sum starts again, as it does in FluidSynth.
  @_noAllocation @_noLocks
  mutating func take() -> (upper: UInt8, lower: UInt8)? {
    guard isNRPN else { return nil }
    // FluidSynth 2.4 and later know those of the AWE32, and others ignore them.
    guard upper == 120 else { return (upper, lower) }
    // 127 selects nothing: FluidSynth ignores the value.
    guard lower < 100 else { return (upper, 127) }
    defer { generator = 0 }
    return (upper, Self.isPlace(generator) ? 127 : generator)
  }
}

extension SynthHandle {
  /// Applies a controller: `fluid_synth_cc`.
  ///
  /// Acceptable on the render thread: it neither locks nor allocates.
  @_noAllocation @_noLocks
  func control(_ channel: Int32, _ number: Int32, _ value: Int32) -> Int32 {
    let place = Int(channel)
    let (controller, amount) = (
      UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: value)
    )
    unsafe selections[place].receive(controller, amount)
    // Controller 98 alone only adds to FluidSynth's sum.
    if number == 98 { return 0 }
    if number == 6, let selection = unsafe selections[place].take() {
      _ = unsafe cfluidsynth_cc(table, synth, channel, 99, Int32(selection.upper))
      _ = unsafe cfluidsynth_cc(table, synth, channel, 98, Int32(selection.lower))
    }
    return unsafe cfluidsynth_cc(table, synth, channel, number, value)
  }
}
