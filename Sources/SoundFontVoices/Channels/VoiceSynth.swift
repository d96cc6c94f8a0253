// SPDX-License-Identifier: Apache-2.0
package import MIDIMessages

/// Sixteen channels of a MIDI synthesiser, and the voices of a SoundFont that their notes strike.
///
/// - Note: One thread at a time; real-time safe but for creation and destruction.
@safe
package struct VoiceSynth: ~Copyable {
  /// How it is set up.
  package struct Configuration: Sendable {
    package var hertz: Int
    package var polyphony: Int
    /// Stereo buses of dry sound: 1, or 16, one for each channel.
    package var busCount: Int
    package var gain: Float
    /// How a bank select is read; changed by resets in the song.
    package var bankMode: BankMode
    /// Whether what reverb and chorus hear is made.
    package var hasSends: Bool

    package init(
      hertz: Int, polyphony: Int, busCount: Int, gain: Float, bankMode: BankMode, hasSends: Bool
    ) {
      (self.hertz, self.polyphony, self.busCount) = (hertz, polyphony, busCount)
      (self.gain, self.bankMode, self.hasSends) = (gain, bankMode, hasSends)
    }
  }

  package enum BankMode: Sendable { case gm, gs, xg, mma }

  package init(_ bank: PatchBank, _ configuration: Configuration) { fatalError() }

  // MARK: Messages

  /// Applies a channel message, a note at a frame of the quantum that comes next, 0…63; false for
  /// a note for which no voice is free.
  @_noAllocation @_noLocks
  package mutating func apply(_ message: Message, at frame: Int) -> Bool { fatalError() }

  /// Applies a SysEx message without its F0 and F7: resets of GM, GM2, GS and XG, and bank modes.
  @_noAllocation @_noLocks
  package mutating func applySysEx(_ bytes: UnsafePointer<UInt8>, count: Int) { fatalError() }

  /// Forgets programs, controllers and bends, and lets every voice go.
  @_noAllocation @_noLocks
  package mutating func reset() { fatalError() }

  /// The same, and ends every voice at once.
  @_noAllocation @_noLocks
  package mutating func silence() { fatalError() }

  /// Chooses a preset whatever the bank mode.
  @_noAllocation @_noLocks
  package mutating func select(_ channel: Int, bank: Int, program: Int) { fatalError() }

  /// Makes a channel play drums or not, with program 0.
  @_noAllocation @_noLocks
  package mutating func setDrums(_ channel: Int, _ isDrums: Bool) { fatalError() }

  /// How far a full bend goes, in semitones.
  @_noAllocation @_noLocks
  package mutating func setBendRange(_ channel: Int, semitones: Int) { fatalError() }

  /// The factor of all voices, also of those that sound.
  @_noAllocation @_noLocks
  package mutating func setGain(_ gain: Float) { fatalError() }

  // MARK: Presets

  /// What a channel was asked to play, and the patch that it plays; the patch is below 0 where none.
  @_noAllocation @_noLocks
  package func preset(of channel: Int) -> (bank: Int, program: Int, patch: Int) { fatalError() }

  // MARK: Sound

  /// Adds whole quanta to the buffers: two for each dry bus, and what reverb and chorus hear.
  @_noAllocation @_noLocks
  package mutating func process(
    quantumCount: Int, dry: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>,
    reverb: UnsafeMutablePointer<Float>, chorus: UnsafeMutablePointer<Float>
  ) { fatalError() }

  /// The voices that sound.
  package var activeVoiceCount: Int {
    @_noAllocation @_noLocks
    get { fatalError() }
  }

  // MARK: Voices, by their place, 0..<polyphony

  /// Fills a list with the places of the voices that sound; returns their number.
  @_noAllocation @_noLocks
  package func list(_ places: UnsafeMutablePointer<Int32>, capacity: Int) -> Int { fatalError() }

  /// The note a voice belongs to; a later note has a higher number.
  @_noAllocation @_noLocks
  package func note(of place: Int) -> UInt32 { fatalError() }

  /// The channel and the key that struck a voice, and how hard.
  @_noAllocation @_noLocks
  package func origin(of place: Int) -> (channel: Int, key: Int, velocity: Int) { fatalError() }

  /// What holds a voice: its key, a pedal alone, or nothing.
  @_noAllocation @_noLocks
  package func isHeld(_ place: Int) -> (byKey: Bool, byPedal: Bool) { fatalError() }

  /// Moves a voice's pitch by some cents.
  @_noAllocation @_noLocks
  package mutating func tune(_ place: Int, byCents cents: Float) { fatalError() }

  /// Takes a voice to silence within a quantum, and remembers that it did.
  @_noAllocation @_noLocks
  package mutating func fade(_ place: Int) { fatalError() }

  @_noAllocation @_noLocks
  package func isFading(_ place: Int) -> Bool { fatalError() }

  /// Ends a voice at once, whatever holds it.
  @_noAllocation @_noLocks
  package mutating func end(_ place: Int) { fatalError() }
}
