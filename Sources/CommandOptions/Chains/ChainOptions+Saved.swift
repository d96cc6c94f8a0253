// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import CommandKit
package import Downbeat
internal import LV2Units
package import MusicSequences
package import MusicalTime
internal import PlayerControl

extension ChainOptions {
  /// Tracks that flags name, and what is said of them.
  private struct Group {
    let tracks: NamedTracks
    /// Which they are, where there is a song.
    let indices: Set<Int>?
    var texts: [String] = []
    var sends: [SendChoice] = []
  }

  /// What the flags ask for, as a value that can be kept in a file, without effects of the whole.
  ///
  /// - Parameters:
  ///   - rate: frames a second.
  ///   - song: the song whose tracks are named, and whose first tempo says how long notes are; nil
  ///     where there is none yet.
  /// - Returns: the value.
  /// - Throws: `Failure` where a plug-in, an effect or a track is not there.
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

  /// The tracks that flags name, in the order of the flags, each set once.
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

  /// Whether a text asks for an instrument; one that asks for what is not there is said to.
  private func isInstrument(_ text: String) -> Bool {
    guard PluginShelf.isPlugin(text) else { return false }
    do { return try PluginShelf.standard.plugin(of: text, "--on").isInstrument } catch {
      // The chain says what is wrong with it.
      return false
    }
  }
}
