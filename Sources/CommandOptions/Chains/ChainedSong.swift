// SPDX-License-Identifier: Apache-2.0
package import AudioProcessing
internal import CommandKit
package import Downbeat
package import MusicSequences
internal import MusicalTime
package import SoundFontInstruments

/// A song with the instruments and effects that options or a saved graph add to the soundfonts.
package struct ChainedSong {
  /// The song, whose tracks name their instruments.
  package private(set) var sequence: MusicSequence
  /// The settings, with the buses that instruments send to.
  package private(set) var settings: SessionSettings
  /// The instruments of tracks; without a soundfont, the first also plays the other tracks.
  package private(set) var instruments: [any PlayableUnit] = []
  /// The presets that tracks with a separate instrument select and no soundfont has.
  package private(set) var missingPresets: [MissingPreset] = []
  /// The effects that tracks with a separate instrument request and Downbeat does not have.
  package private(set) var missingEffects: [RequestedEffect] = []
  /// The registry that makes the effects.
  package let registry: UnitRegistry
  private let chains: SavedChains
  /// The option or file that names the tracks, for messages.
  private let source: String

  /// Creates the instruments.
  ///
  /// - Parameters:
  ///   - sequence: The song.
  ///   - settings: The settings of the session.
  ///   - sound: The options.
  ///   - isLive: True for live playback, so that plug-ins use worker threads.
  /// - Throws: `Failure` if a plug-in, an effect or a track does not exist.
  package init(
    _ sequence: MusicSequence, _ settings: SessionSettings, _ sound: SoundOptions, isLive: Bool
  ) throws {
    self.sequence = sequence
    self.settings = settings
    chains = try sound.savedChains(rate: settings.rate, for: sequence)
    source = sound.tracksSource
    registry = try PluginShelf.standard.registry(
      for: chains.units + (settings.effects?.units ?? []), isLive: isLive)
    if let unit = chains.instrument { instruments = [try instrument(unit)] }
    self.settings.buses += chains.buses.map {
      SessionSettings.SendBus($0.name, $0.effects, sends: [])
    }
    var taken: Set<Int> = []
    for group in chains.groups {
      let flag = sound.source(ofTracks: group.tracks)
      let tracks = try NamedTracks(text: group.tracks).indices(in: sequence, of: flag)
      guard taken.isDisjoint(with: tracks) else {
        throw flag.failure(
          "some of these tracks are also in another group (name the same tracks each time)")
      }
      taken.formUnion(tracks)
      try add(group, tracks)
    }
  }

  /// Creates the instrument of a group, and assigns the tracks to it.
  private mutating func add(_ group: SavedChains.Group, _ tracks: Set<Int>) throws {
    let name = "track " + tracks.sorted().map { "\($0 + 1)" }.joined(separator: ",")
    let unit: TrackInstrument
    if let own = group.instrument ?? chains.instrument {
      unit = try TrackInstrument(
        name, instrument(own), effects: group.effects, registry: registry, rate: settings.rate)
    } else {
      var plain = settings
      plain.effects = nil
      unit = try TrackInstrument(
        name, playing: tracks, of: sequence, plain, effects: group.effects, registry: registry)
    }
    missingPresets += unit.missingPresets
    missingEffects += unit.missingEffects
    instruments.append(unit)
    for track in tracks { sequence.tracks[track].settings.destination = name }
    for send in group.sends {
      guard let bus = settings.buses.firstIndex(where: { $0.name == send.bus }) else { continue }
      settings.buses[bus].sends.append(SessionSettings.SendBus.Send(name, gain: send.gain))
    }
  }

  private func instrument(_ unit: SavedGraph.Unit) throws -> any PlayableUnit {
    do throws(GraphError) {
      return try EffectsFile.instrument(unit, "instrument", registry, settings.rate)
    } catch {
      throw Failure(.failure, "\(source): \(error)")
    }
  }
}
