// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// A score: one tempo track that holds tempo, meter and SMPTE offset, and any number of tracks.
///
/// It is a value: a copy costs nothing, and to undo an edit is to hold the old value. Ticks are
/// integers of the sequence's own division, so nothing a file says is lost.
public struct MusicSequence: Sendable {
  /// What one tick is.
  public var division: Division
  /// How the tracks belong together.
  public var format: Format
  /// Tempo, time signature and SMPTE offset events of all tracks; the maps are derived from it.
  public var tempoTrack: MusicTrack
  /// The tracks, in the order of the file; a file's tempo events are not among their events.
  public var tracks: [MusicTrack]
  private var kept: KeptPorts?

  /// Creates a sequence without tracks and without tempo events: 120 beats per minute, 4/4.
  public init(division: Division = .standard, format: Format = .simultaneous) {
    self.division = division
    self.format = format
    tempoTrack = MusicTrack()
    tracks = []
  }

  /// How the tracks of a file belong together.
  ///
  /// Source: Standard MIDI Files 1.0 (RP-001), header chunk.
  public enum Format: UInt16, Hashable, Sendable, CaseIterable {
    /// Format 0: everything in one track.
    case single
    /// Format 1: tracks that sound together.
    case simultaneous
    /// Format 2: one pattern of a file that holds several.
    case pattern
  }

  /// The length: the latest end of any track, the tempo track among them.
  ///
  /// - Complexity: O(n).
  public var length: Tick {
    tracks.reduce(tempoTrack.length) { max($0, $1.length) }
  }
}

extension MusicSequence {
  /// One word, since a file may hold a hundred thousand sequences.
  private final class KeptPorts: Sendable {
    let order: PortOrder

    init(_ order: PortOrder) { self.order = order }
  }

  /// Ports that keep their places in the order of ports; nil if ports are counted by first use.
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
