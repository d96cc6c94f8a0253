// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import Downbeat
internal import MusicSequences

/// The file names of stems: the number, and the name of the track as far as a file name can contain
/// it.
struct StemNames {
  /// The prefixes of the names of stems.
  static let beginnings = [
    "channel-", "port-", "track-", "bus-", "instrument.", "clips.", "effects.",
  ]

  private let sequence: MusicSequence
  private let decoder: TextDecoder

  init(_ sequence: MusicSequence, _ decoder: TextDecoder) {
    self.sequence = sequence
    self.decoder = decoder
  }

  /// Returns the file names of stems, which are all different.
  func names(of stems: [Stem], _ container: SoundFileFormat.Container) -> [String] {
    var buses = 0
    return stems.map { stem in
      if case .bus = stem.source { buses += 1 }
      return name(of: stem, bus: buses) + ".\(container.suffixes[0])"
    }
  }

  private func name(of stem: Stem, bus: Int) -> String {
    switch stem.source {
    case .effects: "effects"
    case .clips: "clips"
    case .bus(let name): "bus-\(padded(bus))" + words(name)
    case .channel(let number, nil): "channel-\(padded(number))"
    case .channel(let number, let port?): "port-\(padded(port))-channel-\(padded(number))"
    case .track(let index): track(index)
    case .instrument(let name):
      tracks(sequence.tracks.indices.filter { sequence.tracks[$0].settings.destination == name })
    }
  }

  /// Returns the name for an instrument that plays these tracks; `instrument` if the list is empty.
  private func tracks(_ indices: [Int]) -> String {
    guard let first = indices.first else { return "instrument" }
    guard indices.count > 1 else { return track(first) }
    let numbers = indices.map { padded($0 + 1) }.joined(separator: "+")
    // A file name has at most 255 bytes.
    return "track-" + (numbers.count > 200 ? numbers.prefix(200) + "…" : numbers)
  }

  private func track(_ index: Int) -> String {
    let text = sequence.tracks[index].firstText(.trackName).map(decoder.text)
    return "track-\(padded(index + 1))" + words(text ?? "")
  }

  /// Returns the characters of a text that a file name can contain, after a hyphen; empty for none.
  private func words(_ text: String) -> String {
    let kept = text.unicodeScalars.prefix(40).map { scalar in
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        ? Character(scalar) : "-"
    }
    let words = String(kept).split(separator: "-").joined(separator: "-")
    return words.isEmpty ? "" : "-" + words
  }

  private func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
