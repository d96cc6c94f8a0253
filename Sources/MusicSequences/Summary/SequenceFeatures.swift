// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
public import MusicalTime

/// The keys, markers, ports, resets and similar facts in the meta events and SysEx of sequences.
public struct SequenceFeatures: Sendable {
  /// The key signatures, each once, in the order in which they first appear.
  public private(set) var keys: [KeySignature] = []
  /// The number of lyric events.
  public private(set) var lyrics = 0
  /// The markers, in order of track, then of tick.
  public private(set) var markers: [Marker] = []
  /// The cue points (FF 07), in order of track, then of tick.
  public private(set) var cuePoints: [Marker] = []
  /// The selections of a MIDI port by number (FF 21) or by device name (FF 09), each once.
  public private(set) var ports: [Port] = []
  /// The SysEx messages that reset a whole instrument, each kind once.
  public private(set) var resets: [Reset] = []

  /// Finds the features of sequences.
  ///
  /// At most 1,000 markers and 1,000 cue points are kept.
  ///
  /// - Complexity: O(n).
  public init(_ sequences: [MusicSequence]) {
    for sequence in sequences {
      for track in sequence.tracks {
        for record in track.records where record.hasPayload {
          add(record, Array(track.payloads.payload(of: record)))
        }
      }
    }
  }

  private mutating func add(_ record: EventRecord, _ bytes: [UInt8]) {
    if record.status == EventRecord.sysEx {
      if let reset = Reset(bytes) { Self.addOnce(reset, to: &resets) }
      return
    }
    guard record.status == EventRecord.meta else { return }
    switch record.data1 {
    case 0x05: lyrics += 1
    case 0x06 where markers.count < 1000:
      markers.append(Marker(tick: Tick(Int64(record.tick)), text: MetaText(bytes)))
    case 0x07 where cuePoints.count < 1000:
      cuePoints.append(Marker(tick: Tick(Int64(record.tick)), text: MetaText(bytes)))
    case 0x09: Self.addOnce(.device(MetaText(bytes)), to: &ports)
    case 0x21: if let number = bytes.first { Self.addOnce(.number(number), to: &ports) }
    case 0x59: if let key = KeySignature(bytes) { Self.addOnce(key, to: &keys) }
    default: break
    }
  }

  private static func addOnce<Element: Equatable>(_ element: Element, to list: inout [Element]) {
    // A file with more than a thousand devices is not meaningful.
    if list.count < 1000, !list.contains(element) { list.append(element) }
  }

  /// A named position in a song.
  public struct Marker: Hashable, Sendable {
    /// The position of the marker in ticks.
    public let tick: Tick
    /// The name of the marker.
    public let text: MetaText
  }

  /// The selection of a MIDI port by a track.
  public enum Port: Hashable, Sendable {
    /// A port number, from 0 (FF 21).
    case number(UInt8)
    /// The name of a device (FF 09).
    case device(MetaText)
  }

  /// A SysEx message that resets a whole instrument.
  public enum Reset: String, Hashable, Sendable, CaseIterable {
    case generalMIDI = "GM"
    case generalMIDIOff = "GM off"
    case generalMIDI2 = "GM2"
    case rolandGS = "GS"
    case yamahaXG = "XG"
    case rolandMT32 = "MT-32"

    /// Recognises a reset from the bytes after F0, for any device number.
    init?(_ bytes: [UInt8]) {
      guard bytes.last == 0xF7, let reset = SysExReset(Array(bytes.dropLast())) else { return nil }
      self =
        switch reset {
        case .generalMIDI: .generalMIDI
        case .generalMIDI2: .generalMIDI2
        case .gs: .rolandGS
        case .xg: .yamahaXG
        case .mt32: .rolandMT32
        case .off: .generalMIDIOff
        }
    }
  }
}
