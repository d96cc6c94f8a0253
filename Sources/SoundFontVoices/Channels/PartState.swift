// SPDX-License-Identifier: Apache-2.0

/// The parameters of one part of a GS, XG or GM2 module; one for each of the 16 channels of a port.
///
/// Values are kept as messages send them, 0…127 unless said otherwise. Level, pan, reverb and chorus
/// send are controllers 7, 10, 91 and 93 of the channel; bank, program, scale tuning and bend range
/// belong to the sound module.
///
/// Sources: Roland SC-88Pro, addresses 40 1x, 40 2x and 40 4x; Yamaha MU80, addresses 08 pp; General
/// MIDI 2, controller destination setting.
package struct PartState: BitwiseCopyable, Sendable {
  /// Changes of vibrato, filter and envelope, in the order of the GS addresses 40 1x 30…37.
  package enum Sound: Int, BitwiseCopyable, Sendable {
    case vibratoRate, vibratoDepth, cutoff, resonance, attack, decay, release, vibratoDelay

    package static var count: Int {
      @_noAllocation @_noLocks
      get { 8 }
    }
  }

  /// How a key that sounds is struck again.
  package enum Assignment: UInt8, BitwiseCopyable, Sendable {
    /// As the soundfont's voices do: the old voice is released.
    case usual
    /// The old voice ends at once.
    case single
    /// The old voice sounds on.
    case full
  }

  // MARK: Effects

  /// Send to the delay of GS, or to the variation effect of XG: controller 94, 40 1x 2C, 08 pp 14.
  package var delaySend: UInt8 = 0
  /// Level of the direct sound (XG 08 pp 11).
  package var dryLevel: UInt8 = 127
  /// Whether the part goes through the insertion effect (GS 40 4x 22).
  package var isInserted = false
  /// Whether the part goes through the equaliser (GS 40 4x 20).
  package var isEqualized = true

  // MARK: Receiving

  /// The channel that the part receives, 0…15; `noChannel` for none.
  package var receiveChannel: UInt8
  /// The messages that the part takes, a bit for each `PartSwitch`.
  package var receives: UInt32 = .max
  /// The lowest and the highest key.
  package var lowKey: UInt8 = 0
  package var highKey: UInt8 = 127
  /// The lowest and the highest velocity (XG).
  package var lowVelocity: UInt8 = 1
  package var highVelocity: UInt8 = 127

  // MARK: Notes

  /// Added to keys, in semitones; −24…24.
  package var keyShift: Int8 = 0
  /// Fine tuning (GS 40 1x 2A), 14 bits: 100 cents up or down about 8192.
  package var fineTuning: UInt16 = 8192
  /// Added to the frequency of every note, in tenths of a hertz, about 128 (GS pitch offset, XG detune).
  package var pitchOffset: UInt8 = 128
  package var velocityDepth: UInt8 = 64
  package var velocityOffset: UInt8 = 64
  package var assignment = Assignment.usual
  /// Whether each note gets a place of its own between left and right.
  package var isPanRandom = false
  /// Whether the soft pedal is down.
  package var isSoft = false
  /// What a full bend of the channel is of one of the voices, which bend by whole semitones.
  package var bendScale: Float = 1
  /// Whether a slide takes a time, as in XG, instead of a time for each semitone.
  package var slidesByTime = false
  /// The set of drum note parameters that a drum part uses, 0..<`NoteEdit.mapCount`.
  package var drumMap: UInt8 = 0

  // MARK: Sound

  /// Changes by the controllers 71…78, by parameters 1 8…1 102 and by messages; 64 for none.
  package var sounds = InlineArray<8, UInt8>(repeating: 64)
  /// The depth of each destination by each source, in rows of `ControlDestination.count`.
  package var depths = InlineArray<66, UInt8>(repeating: 0)
  /// The controllers that sources CC1 and CC2 are.
  package var firstController: UInt8 = 16
  package var secondController: UInt8 = 17
  /// Whether anything that changes the sound of voices differs from its initial value.
  package private(set) var isEdited = false

  /// The value of `receiveChannel` for no channel.
  package static var noChannel: UInt8 {
    @_noAllocation @_noLocks
    get { 0x7F }
  }

  /// Creates the state that a reset leaves in the part of a channel, 0…15.
  @_noAllocation @_noLocks
  package init(channel: Int) {
    receiveChannel = UInt8(truncatingIfNeeded: channel)
    for source in 0..<ControlSource.count {
      for destination in 0..<ControlDestination.count {
        depths[source &* ControlDestination.count &+ destination] =
          ControlDestination.initial(destination, of: source)
      }
    }
  }

  @_noAllocation @_noLocks
  package func sound(_ sound: Sound) -> UInt8 { sounds[sound.rawValue] }

  /// The depth of a destination by a source.
  @_noAllocation @_noLocks
  package func depth(_ source: ControlSource, _ destination: ControlDestination) -> UInt8 {
    depths[source.rawValue &* ControlDestination.count &+ destination.rawValue]
  }

  @_noAllocation @_noLocks
  package mutating func setDepth(
    _ source: ControlSource, _ destination: ControlDestination, to value: UInt8
  ) {
    depths[source.rawValue &* ControlDestination.count &+ destination.rawValue] = value
  }

  /// Works out `isEdited`.
  @_noAllocation @_noLocks
  mutating func compareToInitial() {
    isEdited = fineTuning != 8192 || pitchOffset != 128 || isSoft || isPanRandom
    for index in 0..<Sound.count where sounds[index] != 64 { isEdited = true }
    for source in 0..<ControlSource.count {
      for destination in 0..<ControlDestination.count
      where !ControlDestination.isChannels(destination, of: source) {
        let depth = depths[source &* ControlDestination.count &+ destination]
        if depth != ControlDestination.initial(destination, of: source) { isEdited = true }
      }
    }
  }

  /// Whether the part takes a kind of message.
  @_noAllocation @_noLocks
  package func receives(_ kind: PartSwitch) -> Bool { receives >> kind.rawValue & 1 != 0 }
}
