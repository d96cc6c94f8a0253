// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages

/// What a sound module remembers of a channel beside what FluidSynth does.
struct ChannelState: BitwiseCopyable {
  /// The number of no parameter: what is entered goes nowhere.
  static var noParameter: UInt16 {
    @_noAllocation @_noLocks
    get { 0x3FFF }
  }

  /// The preset that the channel has chosen.
  var choice: ProgramChoice
  /// The candidate of the choice that is played; nil if no soundfont has one.
  var candidate: Int?
  /// The selected parameter's number, its upper seven bits first.
  var parameter: UInt16
  /// Whether the parameter is a registered one.
  var isRegistered = true
  /// What data entry holds.
  var entry: UInt16 = 0
  /// The bend as it was received, 8192 in the middle.
  var bend: UInt16 = 8192
  /// How far a full bend goes, in cents.
  var bendRange: UInt16 = 200
  var tuningProgram = 0
  /// Channel fine tuning, 8192 for none.
  var fineTuning: UInt16 = 8192
  /// Channel coarse tuning in semitones, 64 for none.
  var coarseTuning: UInt16 = 64
  /// The tuning of the twelve pitch classes from C on, in cents.
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

  /// The range to ask of FluidSynth: whole semitones, of which it bends 127/128.
  var bendSemitones: Int {
    @_noAllocation @_noLocks
    get { (Int(bendRange) &* 128 &+ 12_699) / 12_700 }
  }

  /// A full bend as it was received, of one in the range that was asked of FluidSynth.
  var bendScale: Float {
    @_noAllocation @_noLocks
    get {
      bendRange == 0 ? 0 : Float(bendSemitones &* 12_700) / Float(Int(bendRange) &* 128)
    }
  }

  /// The bend that goes as far as it should in the range that was asked of FluidSynth.
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
