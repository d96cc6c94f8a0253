// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import Downbeat
internal import FluidSynthInstruments
internal import LV2Units
internal import MusicSequences
internal import MusicalTime

/// A song with the instruments that flags give it beside the soundfont, each with its effects.
struct ChainedSong {
  /// The song, whose tracks name what plays them.
  private(set) var sequence: MusicSequence
  /// The settings, with the buses that instruments are sent to.
  private(set) var settings: SessionSettings
  /// What plays tracks; where no soundfont does, the first plays what the others do not.
  private(set) var instruments: [any PlayableUnit] = []
  /// The programs that tracks with an instrument of their own ask for and no soundfont has.
  private(set) var missingPresets: [MissingPreset] = []
  /// Who makes the effects.
  private(set) var registry: UnitRegistry
  private let chains: ChainOptions
  private let isLive: Bool

  /// Makes the instruments.
  ///
  /// - Parameters:
  ///   - sequence: the song.
  ///   - settings: what all is made with.
  ///   - sound: the flags.
  ///   - isLive: whether it is played as it is made, so that plug-ins work on threads of their own.
  /// - Throws: `Failure` where a plug-in, an effect or a track is not there.
  init(
    _ sequence: MusicSequence, _ settings: SessionSettings, _ sound: SoundOptions, isLive: Bool
  ) throws {
    self.sequence = sequence
    self.settings = settings
    self.isLive = isLive
    chains = sound.chains
    registry = .standard
    let tempo = try sequence.tempoMap.tempo(at: .zero)
    if let text = chains.instrument { instruments = [try plugin(text, "--instrument")] }
    let groups = try groups()
    var effects: [[Int]: SavedGraph] = [:]
    for group in groups {
      let texts = group.texts.dropFirst(group.texts.first.map(isInstrument) == true ? 1 : 0)
      guard !texts.isEmpty else { continue }
      effects[group.tracks.sorted()] = try chain(Array(texts), "--on", tempo)
    }
    for name in chains.buses.map(\.name)
    where !self.settings.buses.contains(where: { $0.name == name }) {
      let texts = chains.buses.filter { $0.name == name }.map(\.text)
      self.settings.buses.append(
        SessionSettings.SendBus(name, try chain(texts, "--bus", tempo), sends: []))
    }
    registry = try PluginShelf.standard.registry(
      for: [settings.effects].compactMap(\.self) + effects.values
        + self.settings.buses.map(\.effects), working: isLive ? .onThread : .inLine)
    for group in groups { try add(group, effects[group.tracks.sorted()]) }
  }

  /// Tracks that are played by one instrument, and what is said of them.
  private struct Group {
    var tracks: Set<Int>
    var texts: [String] = []
    var sends: [SendWish] = []
  }

  /// The tracks that flags name, in the order of the flags; none is in two groups.
  private func groups() throws -> [Group] {
    var groups: [Group] = []
    func place(_ named: NamedTracks, _ flag: String) throws -> Int {
      let tracks = try named.indices(in: sequence, flag)
      if let place = groups.firstIndex(where: { $0.tracks == tracks }) { return place }
      guard groups.allSatisfy({ $0.tracks.isDisjoint(with: tracks) }) else {
        throw Failure(
          .usage,
          "\(flag) \(named.text): some of these tracks are named with others elsewhere"
            + " (name the same ones each time)")
      }
      groups.append(Group(tracks: tracks))
      return groups.count - 1
    }
    for wish in chains.on { groups[try place(wish.tracks, "--on")].texts.append(wish.text) }
    for wish in chains.sends { groups[try place(wish.tracks, "--send")].sends.append(wish) }
    return groups
  }

  /// Makes the instrument of a group, and gives it the tracks.
  private mutating func add(_ group: Group, _ effects: SavedGraph?) throws {
    let numbers = group.tracks.sorted().map { "\($0 + 1)" }.joined(separator: ",")
    let name = "track \(numbers)"
    let own = group.texts.first.flatMap { isInstrument($0) ? ($0, "--on") : nil }
    let unit: TrackInstrument
    if let (text, flag) = own ?? chains.instrument.map({ ($0, "--instrument") }) {
      unit = try TrackInstrument(
        name, plugin(text, flag), effects: effects, registry: registry, rate: settings.rate)
    } else {
      var plain = settings
      plain.effects = nil
      unit = try TrackInstrument(
        name, playing: group.tracks, of: sequence, plain, effects: effects, registry: registry)
    }
    missingPresets += unit.missingPresets
    instruments.append(unit)
    for track in group.tracks { sequence.tracks[track].settings.destination = name }
    for send in group.sends {
      guard let bus = settings.buses.firstIndex(where: { $0.name == send.bus }) else { continue }
      settings.buses[bus].sends.append(
        SessionSettings.SendBus.Send(name, gain: send.gain.factor))
    }
  }

  /// Whether a text asks for an instrument; one that asks for what is not there is said to.
  private func isInstrument(_ text: String) -> Bool {
    guard PluginShelf.isPlugin(text) else { return false }
    do { return try PluginShelf.standard.plugin(of: text, "--on").isInstrument } catch {
      // The chain says what is wrong with it.
      return false
    }
  }

  private func plugin(_ text: String, _ flag: String) throws(Failure) -> LV2Unit {
    try PluginShelf.standard.instrument(
      text, of: flag, rate: settings.rate, working: isLive ? .onThread : .inLine)
  }

  private func chain(
    _ texts: [String], _ flag: String, _ tempo: Tempo
  ) throws(Failure) -> SavedGraph {
    try PluginShelf.standard.chain(texts, of: flag, rate: settings.rate, tempo: tempo)
  }
}

extension SoundOptions {
  /// Who makes the units of a session's effects.
  func registry(_ settings: SessionSettings, isLive: Bool) throws(Failure) -> UnitRegistry {
    try PluginShelf.standard.registry(
      for: [settings.effects].compactMap(\.self), working: isLive ? .onThread : .inLine)
  }
}
