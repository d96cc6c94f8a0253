// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import MIDIMessages
internal import MusicSequences
internal import MusicalTime

/// The kinds of settings that a cut removes although they also apply after its range, such as
/// tempo, programs and names.
package struct CutSettings {
  /// The kinds of settings, in the order of the report.
  private enum Kind: String, CaseIterable {
    case tempo, meter, key, programs, controllers, names
  }

  /// A setting of a track: a kind, and the channel or the type that it applies to.
  private struct Setting: Hashable {
    let kind: Kind
    let place: Int
  }

  private var kinds: Set<Kind> = []

  package init() {}

  /// The names of the kinds, such as `tempo, meter and key`; nil if nothing is lost.
  package var names: String? {
    let names = Kind.allCases.filter(kinds.contains).map(\.rawValue)
    guard let last = names.last else { return nil }
    return names.count == 1 ? last : "\(names.dropLast().joined(separator: ", ")) and \(last)"
  }

  /// Finds the settings of the tracks that are cut; none if nothing follows the range.
  ///
  /// - Parameters:
  ///   - ticks: The range that is cut.
  ///   - sequence: The sequence before the cut.
  ///   - tracks: The tracks that are cut; nil for all and the tempo track.
  mutating func add(_ ticks: Range<Tick>, of sequence: MusicSequence, tracks: [Int]?) {
    guard ticks.upperBound < sequence.length else { return }
    let chosen = tracks?.filter(sequence.tracks.indices.contains).map { sequence.tracks[$0] }
    for track in chosen ?? [sequence.tempoTrack] + sequence.tracks { add(ticks, of: track) }
  }

  private mutating func add(_ ticks: Range<Tick>, of track: MusicTrack) {
    var (before, last): ([Setting: [UInt8]], [Setting: [UInt8]]) = ([:], [:])
    for event in track.events {
      guard event.tick <= ticks.upperBound else { break }
      guard let (setting, value) = Self.setting(of: event.content) else { continue }
      if event.tick < ticks.lowerBound {
        before[setting] = value
      } else {
        // A setting at the end of the range replaces the one in it.
        last[setting] = event.tick < ticks.upperBound ? value : before[setting]
      }
    }
    kinds.formUnion(last.filter { before[$0.key] != $0.value }.keys.map(\.kind))
  }

  private static func setting(of content: TrackEvent.Content) -> (Setting, [UInt8])? {
    switch content {
    case .meta(let event): metaKind(event.type).map { ($0, event.bytes) }
    case .message(let message): channelKind(message).map { ($0, [message.data1, message.data2]) }
    default: nil
    }
  }

  private static func metaKind(_ type: UInt8) -> Setting? {
    switch type {
    case 3, 4: Setting(kind: .names, place: Int(type))
    case 0x51: Setting(kind: .tempo, place: 0)
    case 0x58: Setting(kind: .meter, place: 0)
    case 0x59: Setting(kind: .key, place: 0)
    default: nil
    }
  }

  /// Programs, and controllers except pedals and channel modes.
  private static func channelKind(_ message: Message) -> Setting? {
    let channel = Int(message.status & 0x0F)
    switch (message.status & 0xF0, message.data1) {
    case (0xC0, _): return Setting(kind: .programs, place: channel)
    case (0xB0, 0...63), (0xB0, 70...119):
      return Setting(kind: .controllers, place: channel << 8 | Int(message.data1))
    default: return nil
    }
  }
}
