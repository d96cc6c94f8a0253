// SPDX-License-Identifier: Apache-2.0

/// The state of a channel: controllers, pressures, bend, preset and mode.
struct SynthChannel: BitwiseCopyable {
  var controllers: InlineArray<128, UInt8> = InlineArray(repeating: 0)
  var keyPressures: InlineArray<128, UInt8> = InlineArray(repeating: 0)
  var pressure: UInt8 = 0
  /// Pitch bend, 0…16383; 8192 is the centre.
  var bend: UInt16 = 8192
  /// The bend range in semitones.
  var bendRange: UInt8 = 2
  /// The range of the modulation wheel's vibrato, in cents (RPN 5).
  var wheelRange: Float = SynthChannel.usualWheelRange
  var isDrums: Bool
  var bank: Int32
  var program: Int32 = 0
  /// The patch that plays; below 0 for none.
  var patch: Int32 = -1
  /// The amounts that are added to the generators (SoundFont 2.04, 9.6).
  var offsets: InlineArray<61, Float> = InlineArray(repeating: 0)
  /// The amounts that replace those of generators in notes, and a bit for each that is replaced.
  var replacements: InlineArray<61, Float> = InlineArray(repeating: 0)
  var isReplaced: UInt64 = 0
  /// The generator that data entry sets, and true if data entry sets a generator.
  var selectedGenerator: Int32 = 0
  var isSelectingGenerator = false
  /// The number that the next note had when the sostenuto pedal was pressed.
  var sostenutoNote: UInt32 = 0
  /// The held keys, in mono mode.
  var keys = HeldKeys()
  /// The key that a pedal holds in mono mode; `HeldKeys.none` for none.
  var pedalledKey = HeldKeys.none
  /// True in mono mode (MIDI mode 4).
  var isPolyOff = false

  @_noAllocation @_noLocks
  init(_ number: Int) {
    isDrums = number == 9
    bank = isDrums ? SynthChannel.drumBank : 0
    resetControllers(all: true)
  }

  /// The bank of drum kits.
  static var drumBank: Int32 {
    @_noAllocation @_noLocks
    get { 128 }
  }

  var isMono: Bool {
    @_noAllocation @_noLocks
    get { isPolyOff || controllers[68] >= 64 }
  }

  var isSustained: Bool {
    @_noAllocation @_noLocks
    get { controllers[64] >= 64 }
  }

  var isSostenuto: Bool {
    @_noAllocation @_noLocks
    get { controllers[66] >= 64 }
  }

  var hasPortamento: Bool {
    @_noAllocation @_noLocks
    get { controllers[65] >= 64 }
  }

  /// The portamento time, 0..<128, with a fraction from controller 37.
  var portamentoTime: Double {
    @_noAllocation @_noLocks
    get { Double(controllers[5]) + Double(controllers[37]) / 128 }
  }

  /// The wheel's range in cents before RPN 5 sets it.
  static var usualWheelRange: Float {
    @_noAllocation @_noLocks
    get { 50 }
  }

  /// Resets controllers.
  ///
  /// Without `all`, volume, pan, banks, sends and sound controllers are kept, as in RP-015.
  @_noAllocation @_noLocks
  mutating func resetControllers(all: Bool) {
    pressure = 0
    bend = 8192
    offsets = InlineArray(repeating: 0)
    isReplaced = 0
    for number in 0..<128 where all || !SynthChannel.isKept(number) { controllers[number] = 0 }
    keyPressures = InlineArray(repeating: 0)
    controllers[84] = HeldKeys.none
    for number in 98...101 { controllers[number] = 127 }
    controllers[11] = 127
    controllers[43] = 127
    guard all else { return }
    bendRange = 2
    wheelRange = Self.usualWheelRange
    for number in 70...79 { controllers[number] = 64 }
    controllers[7] = 100
    controllers[8] = 64
    controllers[10] = 64
  }

  @_noAllocation @_noLocks
  private static func isKept(_ number: Int) -> Bool {
    switch number {
    case 0, 32, 7, 39, 8, 40, 10, 42, 70...79, 91...95, 120...127: true
    default: false
    }
  }
}
