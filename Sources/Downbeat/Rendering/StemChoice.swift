// SPDX-License-Identifier: Apache-2.0
internal import SoundFontInstruments

/// The division of a song into stems, which are rendered separately.
public enum StemChoice: String, Hashable, Sendable, CaseIterable {
  /// One stem for each MIDI channel of each port that has notes.
  case channel
  /// One stem for each track that has notes.
  case track
}

/// One of the separately rendered parts of a song.
public struct Stem: Hashable, Sendable {
  /// The origin of a stem's sound.
  public enum Source: Hashable, Sendable {
    /// The dry sound of a MIDI channel, 1…16.
    ///
    /// The port is counted from 1; it is nil if the song has one port.
    case channel(Int, port: Int? = nil)
    /// The dry sound of a track, counted from 0.
    case track(Int)
    /// The clips (recorded sounds) that notes start.
    case clips
    /// The sound of a custom instrument with its effects; the instrument is given by name.
    case instrument(String)
    /// The output of a bus, which is given by name.
    case bus(String)
    /// The reverb and chorus of the synthesiser, for all channels together.
    case effects
  }

  /// The origin of the sound.
  public let source: Source
  /// The outputs of parts that are added; empty for the output of a bus.
  let buses: [BusPlace]

  /// An output of one of the parts.
  struct BusPlace: Hashable {
    let part: Int
    let output: Int
  }
}

extension Stem {
  /// The stems of a song whose parts have a dry output for each channel, followed by the effects.
  static func stems(
    _ choice: StemChoice, _ parts: [EnsemblePart], _ loads: NoteLoads, _ settings: SessionSettings,
    hasClips: Bool, own: [String]
  ) -> [Stem] {
    let places = loads.nanoseconds.keys.sorted {
      ($0.track, $0.port, $0.channel) < ($1.track, $1.port, $1.channel)
    }
    var buses: [Source: [BusPlace]] = [:]
    for place in places {
      guard
        let part = parts.firstIndex(where: { part in
          part.channels & 1 << UInt16(place.channel) != 0
            && (part.port ?? place.port) == place.port
            && part.tracks?.contains(place.track) ?? true
        })
      else { continue }
      let port = loads.isOfOnePort ? nil : Int(place.port) + 1
      let source: Source =
        choice == .channel
        ? .channel(Int(place.channel) + 1, port: port) : .track(Int(place.track))
      let bus = BusPlace(part: part, output: Int(place.channel))
      if buses[source]?.contains(bus) != true { buses[source, default: []].append(bus) }
    }
    var stems = buses.map { Stem(source: $0.key, buses: $0.value) }
    stems.sort { $0.order < $1.order }
    if hasClips {
      stems.append(Stem(source: .clips, buses: [BusPlace(part: parts.count, output: 0)]))
    }
    let first = parts.count + (hasClips ? 1 : 0)
    for (index, name) in own.enumerated() {
      stems.append(
        Stem(source: .instrument(name), buses: [BusPlace(part: first + index, output: 0)]))
    }
    stems += settings.buses.map { Stem(source: .bus($0.name), buses: []) }
    let returns = parts.indices.flatMap { part in
      settings.instrumentBuses.dropFirst(settings.dryBuses.rawValue)
        .map { BusPlace(part: part, output: $0) }
    }
    if !returns.isEmpty { stems.append(Stem(source: .effects, buses: returns)) }
    return stems
  }

  private var order: Int {
    switch source {
    case .channel(let number, let port): 16 * (port ?? 0) + number
    case .track(let number): number
    case .clips, .instrument, .bus, .effects: .max
    }
  }
}

extension Stem.Source: CustomStringConvertible {
  /// The name of the stem for users.
  ///
  /// Examples: `channel 10`, `channel 2:10` for port 2, `track 0`, `clips`, `effects`, or the name
  /// of an instrument or bus.
  public var description: String {
    switch self {
    case .channel(let number, nil): "channel \(number)"
    case .channel(let number, let port?): "channel \(port):\(number)"
    case .track(let number): "track \(number)"
    case .clips: "clips"
    case .instrument(let name), .bus(let name): name
    case .effects: "effects"
    }
  }
}
