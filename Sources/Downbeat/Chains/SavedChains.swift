// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing

/// The instruments, effects and buses of a song, which can be saved as text.
///
/// The soundfonts play all tracks through the effects in `effects`, unless `instrument` or `groups`
/// replaces them.
///
/// The `text` is a JSON document of type `saved-graph` (`Documentation/schema/saved-graph.json`): a
/// `SavedGraph`, to which instruments, tracks and buses can be added.
///
/// - Note: Not real-time safe.
public struct SavedChains: Hashable, Sendable {
  /// Tracks that are played by a separate instrument, with separate effects and sends.
  public struct Group: Hashable, Sendable {
    /// The tracks: track numbers, counted from 1, such as `2` or `3,4`, or the name of a track.
    public var tracks: String
    /// The instrument; nil for a second instance of the instrument that plays the whole song.
    public var instrument: SavedGraph.Unit?
    /// The effects after the instrument, with one inlet; nil for none.
    public var effects: SavedGraph?
    /// The sends to buses; the direct sound is still part of the mix.
    public var sends: [Send]

    /// Creates a group of tracks.
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

  /// A share of the sound that is sent to a bus.
  public struct Send: Hashable, Sendable {
    /// The name of the bus.
    public var bus: String
    /// The gain, a linear factor 0…16; 1 by default.
    public var gain: Float

    /// Creates a send.
    public init(to bus: String, gain: Float = 1) {
      self.bus = bus
      self.gain = gain
    }
  }

  /// Effects that several groups share through sends.
  public struct Bus: Hashable, Sendable {
    /// The name by which sends refer to the bus; unique within the chains.
    public var name: String
    /// The effects, with one inlet, which receives the sends.
    public var effects: SavedGraph

    /// Creates a bus.
    public init(_ name: String, _ effects: SavedGraph) {
      self.name = name
      self.effects = effects
    }
  }

  /// The effects through which the mix passes, with one inlet; nil for none.
  public var effects: SavedGraph?
  /// The instrument that plays in place of the soundfonts; nil for the soundfonts.
  public var instrument: SavedGraph.Unit?
  /// The groups of tracks, in the order of their mixer inputs.
  public var groups: [Group]
  /// The buses, in the order of their mixer inputs.
  public var buses: [Bus]

  /// Creates chains; by default the soundfonts play all tracks, without effects.
  public init(
    effects: SavedGraph? = nil, instrument: SavedGraph.Unit? = nil, groups: [Group] = [],
    buses: [Bus] = []
  ) {
    self.effects = effects
    self.instrument = instrument
    self.groups = groups
    self.buses = buses
  }

  /// True if the chains do not have instruments, groups or buses: the soundfonts play all tracks
  /// into one mix.
  public var areOfTheWhole: Bool { instrument == nil && groups.isEmpty && buses.isEmpty }

  /// All units of the instruments, effects and buses.
  public var units: [SavedGraph.Unit] {
    [instrument].compactMap(\.self) + groups.compactMap(\.instrument)
      + ([effects] + groups.map(\.effects) + buses.map(\.effects)).compactMap(\.self)
      .flatMap(\.units)
  }
}
