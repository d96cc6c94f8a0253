// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import CommandOptions
package import Downbeat
package import JSONText
internal import MIDIMessages
internal import PlayerControl
internal import PlayerViews
internal import SoundFontInstruments

/// The requests of a song to a module, as text and as JSON.
extension SongRequests {
  /// Returns the parts and their parameters, grouped by equal parameters, such as
  /// `1–3, 5 cutoff, level`.
  ///
  /// - Parameter namesPorts: True to show channels with their port.
  /// - Returns: One line for each set of parameters.
  func partWords(namesPorts: Bool) -> [String] {
    groups { $0.parameters }.map { parameters, channels in
      Self.words(channels, namesPorts) + " " + parameters.joined(separator: ", ")
    }
  }

  /// Returns the drum parts that SysEx selects, such as `channels 10, 11, by SysEx`; empty without
  /// any.
  func drumPartWords(namesPorts: Bool) -> String {
    let channels = parts.filter(\.part.isDrums).map { ($0.port, $0.part.channel) }
    guard !channels.isEmpty else { return "" }
    return (channels.count == 1 ? "channel " : "channels ") + Self.words(channels, namesPorts)
      + ", by SysEx"
  }

  /// Returns the drum notes with parameters, such as `12 keys: pitch, level`.
  func drumNoteWords(namesPorts: Bool) -> [String] {
    ports.filter { !$0.requests.drumKeys.isEmpty }.map { port in
      let place = namesPorts ? "port \(port.port + 1): " : ""
      return place + port.requests.drumKeys.count.counted("key") + ": "
        + port.requests.drumParameters.joined(separator: ", ")
    }
  }

  /// Returns the effects, such as `insertion Rotary (GS) on channels 1, 2` and
  /// `reverb Hall 2 (GS): time, level`.
  func effectWords(namesPorts: Bool) -> [String] {
    ports.flatMap { port in
      port.requests.effects.map { effect in
        let channels = Self.words(effect.channels.map { (port.port, $0) }, namesPorts)
        let place =
          channels.isEmpty ? "" : effect.channels.count == 1 ? " on channel " : " on channels "
        return "\(effect.kind.rawValue) \(effect.name) (\(effect.standard.rawValue.uppercased()))"
          + (effect.parameters.isEmpty
            ? "" : ": " + effect.parameters.joined(separator: ", "))
          + place + channels + (effect.isAvailable ? "" : ", not available")
      }
    }
  }

  /// One sentence for each effect and each set of parameters that is not played.
  var unplayedSentences: [String] {
    let namesPorts = ports.contains { $0.port > 0 }
    return missingEffects.map(\.sentence)
      + ports.flatMap(\.requests.effects).filter { !$0.unplayed.isEmpty }.map {
        "\($0.kind.rawValue): \($0.unplayed.joined(separator: ", ")) not played"
      }
      + groups { $0.unplayed }.map { parameters, channels in
        (channels.count == 1 ? "channel " : "channels ") + Self.words(channels, namesPorts)
          + ": \(parameters.joined(separator: ", ")) not played"
      }
  }

  /// All requests as a JSON document.
  package var json: JSONValue {
    .object([
      ("parts", .array(parts.map(Self.json))),
      (
        "drumNotes",
        .array(ports.filter { !$0.requests.drumKeys.isEmpty }.map(Self.notesJSON))
      ),
      (
        "effects",
        .array(ports.flatMap { port in port.requests.effects.map { Self.json($0, port.port) } })
      ),
    ])
  }

  private var parts: [(port: UInt8, part: ModuleRequests.Part)] {
    ports.flatMap { port in port.requests.parts.map { (port.port, $0) } }
  }

  /// Returns the parts grouped by equal names, in the order of the first part of each group.
  private func groups(
    by names: (ModuleRequests.Part) -> [String]
  ) -> [([String], [(UInt8, Channel)])] {
    var groups: [([String], [(UInt8, Channel)])] = []
    for (port, part) in parts where !names(part).isEmpty {
      if let place = groups.firstIndex(where: { $0.0 == names(part) }) {
        groups[place].1.append((port, part.channel))
      } else {
        groups.append((names(part), [(port, part.channel)]))
      }
    }
    return groups
  }

  /// Returns channels as text, such as `1–3, 5`, or `1:1–3, 2:5` with ports.
  ///
  /// Three or more neighbours are written as a range.
  private static func words(_ channels: [(port: UInt8, channel: Channel)], _ namesPorts: Bool)
    -> String
  {
    var runs: [(port: UInt8, first: Int, last: Int)] = []
    for (port, channel) in channels {
      let number = Int(channel.index) + 1
      if let run = runs.last, run.port == port, run.last == number - 1 {
        runs[runs.count - 1].last = number
      } else {
        runs.append((port, number, number))
      }
    }
    return runs.map { run in
      let place = namesPorts ? "\(run.port + 1):" : ""
      let link = run.last - run.first == 1 ? ", \(place)" : "–"
      return place + (run.first == run.last ? "\(run.first)" : "\(run.first)\(link)\(run.last)")
    }.joined(separator: ", ")
  }

  private static func json(_ port: UInt8, _ part: ModuleRequests.Part) -> JSONValue {
    .object([
      ("port", .integer(Int(port))), ("channel", .integer(Int(part.channel.index))),
      ("parameters", .array(part.parameters.map { .text($0) })),
      ("unplayed", .array(part.unplayed.map { .text($0) })), ("drums", .bool(part.isDrums)),
    ])
  }

  private static func notesJSON(_ port: Port) -> JSONValue {
    .object([
      ("port", .integer(Int(port.port))),
      ("keys", .array(port.requests.drumKeys.map { .integer(Int($0.number)) })),
      ("parameters", .array(port.requests.drumParameters.map { .text($0) })),
    ])
  }

  private static func json(_ effect: RequestedEffect, _ port: UInt8) -> JSONValue {
    .object([
      ("port", .integer(Int(port))), ("kind", .text(effect.kind.rawValue)),
      ("standard", .text(effect.standard.rawValue)), ("type", .integer(effect.type)),
      ("name", .text(effect.name)),
      ("channels", .array(effect.channels.map { .integer(Int($0.index)) })),
      ("parameters", .array(effect.parameters.map { .text($0) })),
      ("unplayed", .array(effect.unplayed.map { .text($0) })),
      ("available", .bool(effect.isAvailable)),
    ])
  }
}
