// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing

/// What plays the tracks of a song and what the sound goes through, as a value that can be kept in a
/// file: the effects of the whole, and instruments, effects and sends of tracks.
///
/// The text of it is a JSON document of type `saved-graph` (`Documentation/schema/saved-graph.json`):
/// that of a `SavedGraph`, which may have instruments, tracks and buses beside it.
///
/// - Note: Control side.
public struct SavedChains: Hashable, Sendable {
  /// Tracks that have an instrument of their own.
  public struct Group: Hashable, Sendable {
    /// The tracks as a person names them: numbers from 1, such as `2` or `3,4`, or what a track of the
    /// song is called.
    public var tracks: String
    /// What plays them; nil for a synthesiser of their own, or for the instrument of the whole once
    /// more.
    public var instrument: SavedGraph.Unit?
    /// What their sound goes through, with one inlet; nil for nothing.
    public var effects: SavedGraph?
    /// How much of them is sent to buses, beside what is heard of them anyway.
    public var sends: [Send]

    /// Names tracks.
    public init(
      _ tracks: String, instrument: SavedGraph.Unit? = nil, effects: SavedGraph? = nil,
      sends: [Send] = []
    ) {
      self.tracks = tracks
      self.instrument = instrument
      self.effects = effects
      self.sends = sends
    }
  }

  /// How much is sent to a bus.
  public struct Send: Hashable, Sendable {
    /// The name of the bus.
    public var bus: String
    /// A linear factor, 0…16.
    public var gain: Float

    /// Sends to a bus.
    public init(to bus: String, gain: Float = 1) {
      self.bus = bus
      self.gain = gain
    }
  }

  /// An effect that groups share.
  public struct Bus: Hashable, Sendable {
    /// By which groups name it; each only once.
    public var name: String
    /// The effects, with one inlet, by which what is sent comes in.
    public var effects: SavedGraph

    /// Creates a bus.
    public init(_ name: String, _ effects: SavedGraph) {
      self.name = name
      self.effects = effects
    }
  }

  /// What the sum of all goes through, with one inlet; nil for nothing.
  public var effects: SavedGraph?
  /// What plays in place of a soundfont; nil where one plays.
  public var instrument: SavedGraph.Unit?
  /// The tracks with an instrument of their own, in the order in which they are heard on the mixer.
  public var groups: [Group]
  /// The buses, in the order in which they are heard on the mixer.
  public var buses: [Bus]

  /// Puts chains together.
  public init(
    effects: SavedGraph? = nil, instrument: SavedGraph.Unit? = nil, groups: [Group] = [],
    buses: [Bus] = []
  ) {
    self.effects = effects
    self.instrument = instrument
    self.groups = groups
    self.buses = buses
  }

  /// Whether the soundfont plays all, into one mix: there may be effects of the whole.
  public var areOfTheWhole: Bool { instrument == nil && groups.isEmpty && buses.isEmpty }

  /// All units, such as those for which a registry must know plug-ins.
  public var units: [SavedGraph.Unit] {
    [instrument].compactMap(\.self) + groups.compactMap(\.instrument)
      + ([effects] + groups.map(\.effects) + buses.map(\.effects)).compactMap(\.self)
      .flatMap(\.units)
  }
}
