// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// A song: a tempo track with tempo, meter and SMPTE offset, and any number of tracks.
///
/// A sequence is a value. Copies are cheap; to undo an edit, keep a copy of the old value.
/// Positions are integer ticks of the sequence's division, so they are exactly those of the file.
public struct MusicSequence: Sendable {
  /// The unit of ticks: parts of a quarter note or of an SMPTE frame.
  public var division: Division
  /// The format of the MIDI file: 0, 1 or 2.
  public var format: Format
  /// The tempo, time signature and SMPTE offset events of all tracks.
  ///
  /// The tempo and meter maps are calculated from these events.
  public var tempoTrack: MusicTrack
  /// The tracks, in the order of the file, without the tempo track's events.
  public var tracks: [MusicTrack]
  private var kept: KeptPorts?

  /// Creates a sequence without tracks; the tempo is 120 beats per minute and the meter 4/4.
  ///
  /// - Parameters:
  ///   - division: The unit of ticks; 480 per quarter note by default.
  ///   - format: The format of the file; format 1 by default.
  public init(division: Division = .standard, format: Format = .simultaneous) {
    self.division = division
    self.format = format
    tempoTrack = MusicTrack()
    tracks = []
  }

  /// The formats of MIDI files.
  ///
  /// Source: Standard MIDI Files 1.0 (RP-001), header chunk.
  public enum Format: UInt16, Hashable, Sendable, CaseIterable {
    /// Format 0: a single track.
    case single
    /// Format 1: tracks that play together.
    case simultaneous
    /// Format 2: independent patterns, each of which is a sequence.
    case pattern
  }

  /// The length in ticks: the latest end of all tracks, including the tempo track.
  ///
  /// - Complexity: O(n).
  public var length: Tick {
    tracks.reduce(tempoTrack.length) { max($0, $1.length) }
  }
}

extension MusicSequence {
  /// Needs one word only, because a file can contain a hundred thousand sequences.
  private final class KeptPorts: Sendable {
    let order: PortOrder

    init(_ order: PortOrder) { self.order = order }
  }

  /// The order of ports to preserve; nil if ports are ordered by first use.
  var keptPorts: PortOrder? {
    get { kept?.order }
    set { kept = newValue.map { KeptPorts($0) } }
  }
}

extension Division {
  /// 480 ticks per quarter note.
  public static var standard: Division {
    PPQN(480).map { .ppqn($0) } ?? .smpte(.fps25, ticksPerFrame: 40)
  }
}
