// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import MIDIMessages
internal import MusicSequences
internal import MusicalTime
internal import SequencePlayback

/// A sequence in the form that `PlayerScore` requires: times in ticks of 1/28,800 quarter note, and
/// tempos rounded to 10 ns per quarter note.
struct PlayedScore {
  let map: BeatMap
  let ticksPerBeat: Double
  let score: PlayerScore
  /// The tracks, in the order of the score.
  let tracks: [TrackBox]
  /// The destinations, by the names that the score's tracks use.
  let destinations: [String: TrackDestination]
  /// The graph, if a track plays an instrument of it.
  let graph: (any GraphDestination)?

  /// Ticks per quarter note, divisible by 2, 3 and 100.
  private static let resolution = 28_800

  /// - Throws: `ParamError` if a track was disposed of meanwhile or a time is out of range.
  init(_ sequence: SequenceBox, after previous: PlayerScore? = nil) throws(StatusError) {
    map = try sequence.beatMap()
    let scale = TickScale(sequence.type, map, resolution: Self.resolution)
    ticksPerBeat = scale.ticksPerBeat
    var result = MusicSequences.MusicSequence(division: scale.division)
    var ticks = TrackTicks(perBeat: ticksPerBeat)
    ticks.isForPlayer = true
    var destinations: [String: TrackDestination] = [:]
    var graph: (any GraphDestination)?
    tracks = sequence.tracks
    for box in tracks {
      let content = try box.content()
      var track = ticks.track(content)
      let wanted = content.destination.resolved(sequence.outlet)
      if wanted.usesGraph, graph == nil {
        graph = unsafe TrackDestinations.graph(sequence.standardGraph())
      }
      let destination = wanted.resolved(in: graph)
      destinations[destination.name] = destination
      track.settings.destination = destination.name
      result.tracks.append(track)
    }
    self.destinations = destinations
    self.graph = graph
    do {
      score = try PlayerScore(
        result, tempi: TempoMap(division: scale.division, changes: scale.changes),
        after: previous)
    } catch {
      throw .parameter
    }
  }
}

extension PlayedScore {
  /// The graph and the engines of the destinations, which the program may render in slices.
  var sliceHosts: [any SliceHost] {
    (graph.map { [$0] } ?? [])
      + destinations.keys.sorted().compactMap { name in
        guard case .outlet(let outlet) = destinations[name] else { return nil }
        return outlet.slices?.host
      }
  }

  /// The first instant, from one on, at which all destinations play an event in time.
  func startTime(atOrAfter time: HostTime) -> HostTime {
    let start = graph?.startTime(atOrAfter: time) ?? time
    return destinations.values.reduce(start) { latest, destination in
      guard case .outlet(let outlet) = destination else { return latest }
      return max(latest, outlet.startTime(time))
    }
  }

  /// A beat in ticks, rounded to 1/65,536 of a tick.
  func ticks(at beat: MusicTimeStamp) -> Ratio {
    Ratio(Int64(max(-1e14, min(beat * ticksPerBeat * 65_536, 1e18)).rounded()), over: 65_536)
  }
}

extension TrackDestination {
  fileprivate var usesGraph: Bool {
    switch self {
    case .standard, .node: true
    case .endpoint, .outlet: false
    }
  }

  /// The outlet of the sequence, if it has one, for tracks without a destination.
  fileprivate func resolved(_ outlet: TrackOutlet?) -> TrackDestination {
    guard self == .standard, let outlet else { return self }
    return .outlet(outlet)
  }

  /// The node of the first instrument if that is meant: all events of a node need one destination.
  fileprivate func resolved(in graph: (any GraphDestination)?) -> TrackDestination {
    guard self == .standard, let node = graph?.firstInstrument else { return self }
    return .node(node)
  }

  /// The name of the destination in the score.
  var name: String {
    switch self {
    case .standard: "standard"
    case .node(let node): "node \(node)"
    case .endpoint(let endpoint): "endpoint \(endpoint)"
    case .outlet(let outlet): outlet.name
    }
  }
}

/// The length of a player's ticks.
private struct TickScale {
  let ticksPerBeat: Double
  let division: Division
  let changes: [TempoChange]

  /// Beats are quarter notes, seconds, or samples.
  ///
  /// With a suitable sample rate, a tick is one sample.
  init(_ type: MusicSequenceType, _ map: BeatMap, resolution: Int) {
    let steps = map.steps
    let rate = type == .samples ? (1 / steps[0].secondsPerBeat).rounded() : 0
    let parts = (rate / 32_767).rounded(.up)
    let isWhole = rate > 0 && rate < 1e6 && rate.truncatingRemainder(dividingBy: parts) == 0
    let ticks = isWhole ? Int(rate / parts) : resolution
    division = PPQN(ticks).map { .ppqn($0) } ?? .standard
    guard type == .samples else {
      let perBeat = Double(ticks)
      ticksPerBeat = perBeat
      changes = steps.compactMap { step in
        Self.tempo(step.secondsPerBeat).map {
          TempoChange(
            tick: Tick(Int64(min((step.beat * perBeat).rounded(), 0x7FFF_FFFF_FFFF))), tempo: $0)
        }
      }
      return
    }
    ticksPerBeat = isWhole ? 1 : Double(ticks) * steps[0].secondsPerBeat
    changes = Self.tempo(isWhole ? 1 / parts : 1).map { [TempoChange(tick: 0, tempo: $0)] } ?? []
  }

  /// The nearest tempo that a clock can have.
  private static func tempo(_ seconds: Double) -> Tempo? {
    Tempo(tenNanosecondsPerQuarter: UInt32(max(1, min((seconds * 1e8).rounded(), 4_294_967_295))))
  }
}
