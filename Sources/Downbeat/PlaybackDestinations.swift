// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import ClockService
internal import MIDIMessages
internal import MusicalTime
internal import SequencePlayback
internal import SoundFontInstruments

/// The destinations of a playback: first synthesisers, then ports, then units that only the tracks
/// that name them use.
struct PlaybackDestinations {
  let router = Router()
  private var names: [String] = []
  private let sound: PlaybackSound
  private let ports: [PlaybackPort]

  /// The parts of the synthesisers; without any, the part of the main custom instrument.
  private var synths: [TrackPart.Share] {
    sound.main == nil ? sound.parts.map(\.share) : [TrackPart.Share()]
  }

  /// Adds all destinations to a router.
  ///
  /// - Parameters:
  ///   - sound: The instruments, the graph and the output.
  ///   - ports: The ports.
  ///   - reference: The clock of the router's events.
  ///   - master: The clock that is followed; nil for none.
  init(
    _ sound: PlaybackSound, _ ports: [PlaybackPort], reference: ReferenceClock,
    master: ExternalClock?
  ) {
    (self.sound, self.ports) = (sound, ports)
    if let main = sound.main { add(main.sink(with: sound.kit), named: main.name) }
    for part in sound.parts {
      add(part.instrument.sink(with: sound.kit), named: part.share.name)
    }
    for port in ports {
      // A port in sync with the output uses the output's frames, which do not include the graph's
      // latency.
      let inLine = sound.output?.inLine(port.sink)
      add(
        inLine ?? PortSink(port.sink, reference, behind: master), named: port.name,
        delay: port.delay + (inLine == nil ? .zero : sound.graphDelay))
    }
    for unit in sound.named { add(unit.sink(), named: unit.name) }
    for unit in sound.moved { add(unit.parameters, named: unit.name) }
  }

  private mutating func add(
    _ sink: any EventSink<ReferenceTime>, named name: String, delay: Duration = .zero
  ) {
    names.append(name)
    _ = router.addDestination(sink, delay: delay)
  }

  /// The routing of tracks to these destinations.
  var routing: Routing {
    Routing(
      names, synths: synths, namedCount: sound.named.count + sound.moved.count,
      bankMode: sound.parts.first?.instrument.configuration.bankMode ?? .auto)
  }

  /// The transform and the filter of each destination.
  func control(of score: PlayerScore, _ options: PlaybackOptions) -> Playback.Control {
    Playback.Control(
      score: score,
      transforms: synths.map { _ in options.transform } + ports.map(\.transform)
        + sound.named.map { _ in options.transform }
        + sound.moved.map { _ in MessageTransform() },
      filters: synths.map { _ in PortFilter() } + ports.map { PortFilter($0.filter) }
        + (sound.named.map { _ in PortFilter() } + sound.moved.map { _ in PortFilter() }))
  }
}
