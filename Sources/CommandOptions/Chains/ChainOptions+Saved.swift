// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import CommandKit
package import Downbeat
internal import LV2Units
package import MusicSequences
package import MusicalTime
internal import PlayerControl

extension ChainOptions {
  /// Tracks that options name, with the effects and sends for them.
  private struct Group {
    let tracks: NamedTracks
    /// Their indices in the song; nil while the song is not known.
    let indices: Set<Int>?
    var texts: [String] = []
    var sends: [SendChoice] = []
  }

  /// The instruments, effects and sends of the options as a value that can be saved, without
  /// effects on the mix.
  ///
  /// - Parameters:
  ///   - rate: The sample rate.
  ///   - song: The song whose tracks are named, and whose first tempo determines the length of
  ///     notes; nil while it is not known.
  /// - Returns: The value.
  /// - Throws: `Failure` if a plug-in, an effect or a track does not exist.
  package func saved(rate: SampleRate, for song: MusicSequence?) throws -> SavedChains {
    let tempo = try song?.tempoMap.tempo(at: .zero) ?? .standard
    let shelf = PluginShelf.standard
    var saved = SavedChains()
    if let instrument {
      saved.instrument = try shelf.instrument(instrument, of: "--instrument", rate: rate)
    }
    for group in try groups(of: song) {
      var made = SavedChains.Group(group.tracks.text)
      var texts = group.texts[...]
      if let first = texts.first, isInstrument(first) {
        made.instrument = try shelf.instrument(texts.removeFirst(), of: "--on", rate: rate)
      }
      if !texts.isEmpty {
        made.effects = try shelf.chain(Array(texts), of: "--on", rate: rate, tempo: tempo)
      }
      made.sends = group.sends.map { SavedChains.Send(to: $0.bus, gain: $0.gain.factor) }
      saved.groups.append(made)
    }
    for name in buses.map(\.name) where !saved.buses.contains(where: { $0.name == name }) {
      let texts = buses.filter { $0.name == name }.map(\.text)
      saved.buses.append(
        SavedChains.Bus(name, try shelf.chain(texts, of: "--bus", rate: rate, tempo: tempo)))
    }
    return saved
  }

  /// The tracks that options name, in the order of the options, each set once.
  private func groups(of song: MusicSequence?) throws -> [Group] {
    var groups: [Group] = []
    func place(_ named: NamedTracks, _ flag: String) throws -> Int {
      let indices = try song.map { try named.indices(in: $0, of: FlagText(flag, named.text)) }
      let place = groups.firstIndex { group in
        indices == nil ? group.tracks == named : group.indices == indices
      }
      if let place { return place }
      groups.append(Group(tracks: named, indices: indices))
      return groups.count - 1
    }
    for wish in on { groups[try place(wish.tracks, "--on")].texts.append(wish.text) }
    for wish in sends { groups[try place(wish.tracks, "--send")].sends.append(wish) }
    return groups
  }

  /// True if a text names an instrument; false for effects and for a plug-in that does not exist.
  private func isInstrument(_ text: String) -> Bool {
    guard PluginShelf.isPlugin(text) else { return false }
    do { return try PluginShelf.standard.plugin(of: text, "--on").isInstrument } catch {
      // The effect chain reports the error.
      return false
    }
  }
}
