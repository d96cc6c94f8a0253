// SPDX-License-Identifier: Apache-2.0
package import MusicSequences
internal import PlayerControl

/// A valid part of a file that other programs are known to read differently or not at all.
package struct PortabilityRemark {
  package let kind: Kind
  /// The first position; nil if the whole file is concerned.
  package var track: Int?
  package var tick: Int64?
  package var offset: Int?
  /// The number of occurrences.
  package var count = 1
  /// A number in the message.
  package var value = 0
  /// The channels in the message, as text.
  package var channels: [String] = []

  /// Creates a remark.
  package init(
    kind: Kind, track: Int? = nil, tick: Int64? = nil, offset: Int? = nil, count: Int = 1,
    value: Int = 0, channels: [String] = []
  ) {
    self.kind = kind
    self.track = track
    self.tick = tick
    self.offset = offset
    self.count = count
    self.value = value
    self.channels = channels
  }

  /// The kinds of remarks; the raw values are the `kind` of `check --json`.
  package enum Kind: String, CaseIterable {
    case wrapper, soundFont, packedFormat, patterns, smpteDivision, noTracks
    case tempoOutsideFirstTrack, meterOutsideFirstTrack, manyTempi
    case sysExPacket, longMeta, longName, lateName, port, deviceName, textEncoding
    case notRestored, drumChannels, endlessSysEx, impossibleMeter, impossibleOffset
    case manyPorts
  }

  /// The message.
  package var message: String {
    let words = sentence
    return count > 1 ? "\(words) (\(count) times)" : words
  }

  private var sentence: String {
    switch kind {
    case .wrapper: "the file is in a RIFF wrapper"
    case .soundFont: "the wrapper contains a bank of instruments"
    case .packedFormat: "the file is in another music format, not a Standard MIDI File"
    case .patterns: "format 2: separate patterns, played in order"
    case .smpteDivision: "ticks are parts of SMPTE frames; tempo events are ignored"
    case .noTracks: "the file does not contain tracks"
    case .tempoOutsideFirstTrack: "a tempo outside the first track"
    case .meterOutsideFirstTrack: "a time signature outside the first track"
    case .manyTempi: "\(value) tempo events"
    case .sysExPacket: "a SysEx packet or escape (F7)"
    case .longMeta: "a meta event of \(value) bytes"
    case .longName: "a name of \(value) bytes"
    case .lateName: "a track's name or number after its beginning"
    case .port: "a port number (FF 21): more than 16 channels"
    case .deviceName: "a device name (FF 09)"
    case .notRestored: "a SysEx that Downbeat cannot undo when a loop repeats"
    case .drumChannels: Self.drums(on: channels)
    case .endlessSysEx: "a SysEx without its end (F7): not sent"
    case .impossibleMeter: "a time signature with 0 beats, or with a beat below 1/128"
    case .impossibleOffset: "an impossible SMPTE offset"
    case .manyPorts: "\(value) ports: only the first \(TrackPorts.limit) are played"
    case .textEncoding: "text that is not ASCII, in an unknown encoding"
    }
  }

  private static func drums(on channels: [String]) -> String {
    let numbers = channels.joined(separator: ", ")
    return switch channels.count {
    case 0: "no channel plays drums, not even channel 10"
    case 1: "drums on channel \(numbers)"
    default: "drums on channels \(numbers)"
    }
  }

  /// The programs known to read it differently, according to tests or their source code.
  package var others: String? {
    switch kind {
    case .wrapper: "FluidSynth and libsmf refuse it"
    case .soundFont: "players that do not use the bank sound different"
    case .packedFormat: "only WildMIDI and a few others read it"
    case .patterns:
      "aplaymidi and libsmf refuse it, FluidSynth plays all patterns at once, mido cannot compute "
        + "a length"
    case .smpteDivision:
      "FluidSynth, WildMIDI and libsmf refuse it, TiMidity++ plays at the wrong speed, mido "
        + "computes a negative length, music21 and pretty_midi fail; aplaymidi plays it"
    case .noTracks: "libsmf refuses it"
    case .tempoOutsideFirstTrack:
      "readers that only use the first track's tempo play at the wrong speed"
    case .meterOutsideFirstTrack:
      "readers that only use the first track's meter show wrong bars"
    case .manyTempi: "FluidSynth 2.3.1 falls behind, by 0.9 s after 3000 of them"
    case .sysExPacket: "libsmf 1.3 aborts"
    case .longMeta: "libsmf 1.3 misreads metas of more than 127 bytes"
    case .longName: nil
    case .lateName: "readers that only look at the beginning do not find the name"
    case .port: "FluidSynth plays all ports on the same 16 channels"
    case .deviceName: "aplaymidi ignores it"
    case .notRestored, .impossibleMeter, .impossibleOffset, .manyPorts: nil
    case .endlessSysEx: "players may send it, and the port then waits for its end"
    case .drumChannels: "General MIDI players have drums only on channel 10"
    case .textEncoding: "players show it in the encoding they assume"
    }
  }
}

extension Repair {
  /// The programs known to fail with this defect, in a file with the given number of tracks; nil if
  /// none is known.
  package func others(tracks: Int) -> String? {
    switch kind {
    case .trackLength:
      "FluidSynth and WildMIDI render silence, libsmf aborts, mido stops with an error"
    case .trackCount where value > tracks:
      "FluidSynth and WildMIDI render silence, mido stops with an error, midicsv invents rows"
    case .missingEndOfTrack: "libsmf aborts, midicsv invents rows"
    case .truncatedEvent, .truncatedPayload:
      "FluidSynth and WildMIDI render silence, libsmf aborts, mido stops with an error"
    case .divisionZero: "FluidSynth plays nonsense, TiMidity++ nothing, mido divides by zero"
    case .leadingBytes, .unknownFormat, .headerLength, .frameRate, .ticksPerFrame:
      "libsmf refuses it"
    case .longHeader: "libsmf refuses a header that is not 6 bytes long"
    case .unknownChunk: "libsmf counts it as a track"
    case .runningStatusAcrossMeta: "libsmf aborts after SysEx"
    case .unreleasedNote: "FluidSynth 2.3.1 never releases it"
    default: nil
    }
  }
}
