// SPDX-License-Identifier: Apache-2.0

/// The parameters of one part of a GS, XG or GM2 module.
///
/// A port has one part for each of the 16 channels.
///
/// Values are stored as in messages, 0…127 unless stated otherwise. Level, pan, reverb send and
/// chorus send are controllers 7, 10, 91 and 93 of the channel. Bank, program, scale tuning and
/// bend range belong to the sound module.
///
/// Sources: Roland SC-88Pro, addresses 40 1x, 40 2x and 40 4x; Yamaha MU80, addresses 08 pp;
/// General MIDI 2, controller destination setting.
package struct PartState: BitwiseCopyable, Sendable {
  /// Changes of vibrato, filter and envelope, in the order of the GS addresses 40 1x 30…37.
  package enum Sound: Int, BitwiseCopyable, Sendable {
    case vibratoRate, vibratoDepth, cutoff, resonance, attack, decay, release, vibratoDelay

    package static var count: Int {
      @_noAllocation @_noLocks
      get { 8 }
    }
  }

  /// The handling of a key that is played again while it sounds.
  package enum Assignment: UInt8, BitwiseCopyable, Sendable {
    /// As in the soundfont: the old voice is released.
    case usual
    /// The old voice ends immediately.
    case single
    /// The old voice continues.
    case full
  }

  // MARK: Effects

  /// Send to the delay of GS or to the variation effect of XG: controller 94, 40 1x 2C, 08 pp 14.
  package var delaySend: UInt8 = 0
  /// Level of the dry sound (XG 08 pp 11).
  package var dryLevel: UInt8 = 127
  /// True if the part is routed through the insertion effect (GS 40 4x 22).
  package var isInserted = false
  /// True if the part is routed through the equaliser (GS 40 4x 20).
  package var isEqualized = true

  // MARK: Receiving

  /// The channel that the part receives, 0…15; `noChannel` for none.
  package var receiveChannel: UInt8
  /// The kinds of messages that the part accepts, one bit for each `PartSwitch`.
  package var receives: UInt32 = .max
  /// The lowest and the highest key.
  package var lowKey: UInt8 = 0
  package var highKey: UInt8 = 127
  /// The lowest and the highest velocity (XG).
  package var lowVelocity: UInt8 = 1
  package var highVelocity: UInt8 = 127

  // MARK: Notes

  /// Key shift in semitones, −24…24.
  package var keyShift: Int8 = 0
  /// Fine tuning (GS 40 1x 2A) with 14 bits: ±100 cents, with an offset of 8192.
  package var fineTuning: UInt16 = 8192
  /// A value added to the frequency of every note, in tenths of a hertz, with an offset of 128 (GS
  /// pitch offset, XG detune).
  package var pitchOffset: UInt8 = 128
  package var velocityDepth: UInt8 = 64
  package var velocityOffset: UInt8 = 64
  package var assignment = Assignment.usual
  /// True if each note has a random pan.
  package var isPanRandom = false
  /// True while the soft pedal is down.
  package var isSoft = false
  /// The ratio of the channel's bend range to that of the voices, which bend by whole semitones.
  package var bendScale: Float = 1
  /// True if the portamento time is for the whole slide, as in XG; false if it is for each
  /// semitone.
  package var slidesByTime = false
  /// The drum map that a drum part uses, 0..<`NoteEdit.mapCount`.
  package var drumMap: UInt8 = 0

  // MARK: Sound

  /// Changes by controllers 71…78, by parameters 1 8…1 102 and by SysEx; 64 is neutral.
  package var sounds = InlineArray<8, UInt8>(repeating: 64)
  /// The depth of each destination for each source, in rows of `ControlDestination.count`.
  package var depths = InlineArray<66, UInt8>(repeating: 0)
  /// The controllers that are assigned to the sources CC1 and CC2.
  package var firstController: UInt8 = 16
  package var secondController: UInt8 = 17
  /// True if any parameter that changes the sound of voices differs from its initial value.
  package private(set) var isEdited = false

  /// The value of `receiveChannel` if the part does not receive a channel.
  package static var noChannel: UInt8 {
    @_noAllocation @_noLocks
    get { 0x7F }
  }

  /// Creates the state of a channel's part after a reset; channels are 0…15.
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

  /// The depth of a destination for a source.
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

  /// Computes `isEdited`.
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

  /// True if the part accepts a kind of message.
  @_noAllocation @_noLocks
  package func receives(_ kind: PartSwitch) -> Bool { receives >> kind.rawValue & 1 != 0 }
}
