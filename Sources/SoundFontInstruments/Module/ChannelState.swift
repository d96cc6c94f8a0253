// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages

/// The state of a channel in a sound module, in addition to FluidSynth's own state.
struct ChannelState: BitwiseCopyable {
  /// The null parameter, for which data entry is ignored.
  static var noParameter: UInt16 {
    @_noAllocation @_noLocks
    get { 0x3FFF }
  }

  /// The preset that the channel has selected.
  var choice: ProgramChoice
  /// The candidate of `choice` that is played; nil if the soundfonts do not have any.
  var candidate: Int?
  /// The number of the selected parameter, upper seven bits first.
  var parameter: UInt16
  /// True if the parameter is registered (RPN), false if it is not (NRPN).
  var isRegistered = true
  /// The value of data entry.
  var entry: UInt16 = 0
  /// The received pitch bend; 8192 is the centre.
  var bend: UInt16 = 8192
  /// The range of a full bend, in cents.
  var bendRange: UInt16 = 200
  var tuningProgram = 0
  /// Channel fine tuning; 8192 is neutral.
  var fineTuning: UInt16 = 8192
  /// Channel coarse tuning in semitones; 64 is neutral.
  var coarseTuning: UInt16 = 64
  /// The tuning of the twelve pitch classes from C, in cents.
  var scale: InlineArray<12, Float> = InlineArray(repeating: 0)

  @_noAllocation @_noLocks
  init(_ choice: ProgramChoice) {
    self.choice = choice
    parameter = 0x3FFF
  }

  var isDrums: Bool {
    @_noAllocation @_noLocks
    get { choice.isDrums }
  }

  /// The range to set in FluidSynth, in whole semitones; FluidSynth bends by 127/128 of it.
  var bendSemitones: Int {
    @_noAllocation @_noLocks
    get { (Int(bendRange) &* 128 &+ 12_699) / 12_700 }
  }

  /// The ratio of the range set in FluidSynth to the channel's range.
  var bendScale: Float {
    @_noAllocation @_noLocks
    get {
      bendRange == 0 ? 0 : Float(bendSemitones &* 12_700) / Float(Int(bendRange) &* 128)
    }
  }

  /// The bend value that gives the right pitch with the range set in FluidSynth.
  var scaledBend: Int {
    @_noAllocation @_noLocks
    get {
      guard bendRange > 0 else { return 8192 }
      let whole = bendSemitones &* 12_700
      let part = (Int(bend) &- 8192) &* Int(bendRange) &* 128
      return 8192 &+ (part &+ (part < 0 ? -whole : whole) / 2) / whole
    }
  }
}
