// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing
public import MIDIMessages
public import MusicalTime
internal import SoundFontInstruments

/// An instrument that is played live, with a constant latency.
///
/// An event is audible at its host time plus `latency`, no matter when it is passed to `play`. The
/// timing is accurate to half a quantum (32 frames). An event that is passed too late is played
/// immediately.
///
/// - Note: One thread at a time. Not real-time safe.
public final class LiveInstrument {
  /// The time allowed from an event's host time until `play` receives it, in nanoseconds.
  private static let allowance: Int64 = 1_000_000

  /// The time from an event's host time until it is audible.
  ///
  /// If effects with latency are added later, the time increases.
  public var latency: Duration { .nanoseconds(reference.delay + Self.allowance) }

  private let rate: SampleRate
  private let instrument: InstrumentUnit?
  private let mix: SessionMix
  private let output: any OutputUnit
  private let router = Router()
  private var route: Route
  private let reference: ReferenceClock
  private var moved = EventBuffer()
  private var effects = EffectChains()

  /// Reads the soundfonts with all their samples, and starts the output.
  ///
  /// No sample is read from disk while the instrument is played.
  ///
  /// - Parameters:
  ///   - settings: The soundfonts, and the settings of the synthesiser and effects.
  ///   - registry: The registry that creates the effects.
  ///   - output: The output that plays the sound, not started.
  /// - Throws: `InstrumentError` if a soundfont cannot be used; the error of an output that cannot
  ///   be started.
  public convenience init(
    _ settings: SessionSettings, registry: UnitRegistry = .standard, on output: any OutputUnit
  ) throws {
    let instrument = try InstrumentUnit.live(settings)
    let mix = try SessionMix([instrument], settings, by: registry)
    try self.init(instrument, instrument, mix, on: output)
  }

  /// Starts the output with any instrument.
  ///
  /// - Parameters:
  ///   - unit: The instrument, at the rate of the output; only its first bus is used.
  ///   - gain: The gain of the mix, a linear factor.
  ///   - output: The output.
  /// - Throws: `GraphError` if the unit cannot be connected; the error of an output that cannot be
  ///   started.
  public convenience init(
    _ unit: any PlayableUnit, gain: Float = 1, on output: any OutputUnit
  ) throws {
    let settings = SessionSettings(rate: output.format.rate, gain: gain)
    try self.init(unit, settings, on: output)
  }

  /// Starts the output with any instrument, with effects.
  ///
  /// - Parameters:
  ///   - unit: The instrument, at the rate of the output; only its first bus is used.
  ///   - settings: The settings, of which only the rate, gain and effects are used.
  ///   - registry: The registry that creates the effects.
  ///   - output: The output.
  /// - Throws: `GraphError` if the unit or the effects cannot be connected; the error of an output
  ///   that cannot be started.
  public convenience init(
    _ unit: any PlayableUnit, _ settings: SessionSettings, registry: UnitRegistry = .standard,
    on output: any OutputUnit
  ) throws {
    let mix = try SessionMix([], own: [unit], settings, by: registry)
    try self.init(unit, nil, mix, on: output)
  }

  private init(
    _ unit: any PlayableUnit, _ instrument: InstrumentUnit?, _ mix: SessionMix,
    on output: any OutputUnit
  ) throws {
    rate = output.format.rate
    self.instrument = instrument
    self.mix = mix
    self.output = output
    reference = ReferenceClock(
      rate: rate, latency: output.latency, graphLatency: mix.plan.latency)
    route = Route(to: router.addDestination(unit.sink()))
    router.addRoute(route)
    try output.start(mix.plan, at: .zero)
  }

  /// The error that stopped the output; nil if the output works.
  public var fault: (any Error)? { output.fault }

  /// The number of notes that were not played because all voices were in use.
  public var refusedNoteCount: Int { instrument?.refusedNoteCount ?? 0 }

  /// The number of voices that were ended early because rendering took too long.
  public var shedVoiceCount: Int { instrument?.shedVoiceCount ?? 0 }

  /// The number of sounding voices.
  public var voiceCount: Int { instrument?.activeVoiceCount ?? 0 }

  /// The gain of the mix before the limiter, a linear factor 0…16, relative to the gain of the
  /// settings: 1 leaves it unchanged.
  public var volume: Float {
    get { mix.mixer.sum.gain }
    set { mix.mixer.sum.gain = min(max(newValue, 0), 16) }
  }

  /// The graph that renders the sound; use `edit` to change it.
  public var graph: AudioGraph { mix.plan.graph }

  /// The mixer that adds all sounds.
  public var mixer: MixerUnit { mix.mixer }

  /// Changes the graph during playback, with a crossfade of 5 ms.
  ///
  /// - Returns: The result of the closure.
  /// - Throws: `GraphError`, and the errors of the closure; the graph is then not changed.
  @discardableResult
  public func edit<Result>(
    _ change: (inout AudioGraph) throws(GraphError) -> Result
  ) throws(GraphError) -> Result {
    try mix.plan.edit(change)
  }

  /// Adds an effect to the mix, after earlier effects and before the limiter.
  ///
  /// - Throws: `GraphError` if the effect cannot be connected.
  public func addEffect(_ effect: any ProcessingUnit) throws(GraphError) {
    var chains = effects
    try edit { graph throws(GraphError) in
      try chains.add(effect, behind: mix.mixer, to: &graph)
    }
    effects = chains
  }

  /// Adds the sound of a unit to the mix, such as an `InputUnit` for a microphone.
  ///
  /// The sound is added after the mix and its added effects, and before the effects of the settings
  /// and the limiter.
  ///
  /// - Parameters:
  ///   - unit: The unit; only its first bus is used, which is mono or stereo.
  ///   - gain: A linear factor, 0…16.
  /// - Throws: `GraphError` if the unit cannot be connected.
  public func addInput(_ unit: any ProcessingUnit, gain: Float = 1) throws(GraphError) {
    var chains = effects
    try edit { graph throws(GraphError) in
      try chains.mix(unit, gain: gain, behind: mix.mixer, to: &graph, rate: rate)
    }
    effects = chains
  }

  /// The level of the mix, before added effects and the limiter.
  ///
  /// - Note: Any thread.
  public var level: (left: Level, right: Level) { mix.mixer.sumLevel }

  /// The semitones by which new notes are shifted; negative is down.
  ///
  /// Drums are not shifted, and notes outside keys 0…127 are not played.
  public var transposition: Int {
    get { route.transform.transposition }
    set {
      route.transform.transposition = newValue
      router.setRoutes([route])
    }
  }

  /// The rendering time and the duration of the rendered sound; measuring begins with the first
  /// access.
  public var renderLoad: RenderLoad { mix.load(rate) }

  /// Plays received events.
  ///
  /// Call it every few milliseconds, even without events.
  ///
  /// - Parameter events: The events in order, each with its host time; only messages are played.
  /// - Throws: The error of the instrument.
  /// - Complexity: O(n) in the number of events.
  public func play(_ events: borrowing HostEventBuffer) throws {
    if mix.plan.latencyVaries { try mix.plan.followLatencies() }
    reference.graphLatency = mix.plan.latency
    let position = reference.look(output.clock, at: output.position)
    router.settle(before: position)
    moved.removeAll()
    for event in events.events {
      let time = max(position, reference.base?.time(at: event.time, .scheduled) ?? position)
      var event = event.moved(to: time.advanced(saturating: Self.allowance))
      // The instrument does not distinguish senders.
      event.track = 0
      moved.append(event, payloads: events.payloads.span)
    }
    try router.send(moved)
  }

  /// Selects the channels whose notes are played, and ends sounding notes of the others.
  ///
  /// Programs and controllers of the other channels still take effect.
  ///
  /// - Parameter channels: The channels to play, as a bit mask: bit n is channel index n.
  /// - Throws: The error of the instrument.
  public func setHeardChannels(_ channels: UInt16) throws {
    let ending = route.filter.struckChannels & ~channels
    route.filter.struckChannels = channels
    router.setRoutes([route])
    try router.send(
      EventBuffer(endingNotesOn: ending, at: rate.timeRoundedUp(of: output.position)))
  }

  /// Plays a message now.
  ///
  /// - Returns: The time at which the message is audible, for `Task.sleep(until:clock:)` on
  ///   `.host`; nil before the output has begun to play.
  /// - Throws: The error of the instrument.
  @discardableResult
  public func send(_ message: Message) throws -> HostTime? {
    var events = EventBuffer(capacity: 1, payloadCapacity: 0)
    let time = rate.timeRoundedUp(of: output.position)
    events.append(TimedEvent(time: time, payload: .message(message)))
    try router.send(events)
    return reference.base?.hostTime(of: time)
  }

  /// Releases all held keys and pedals; the notes fade out normally.
  ///
  /// - Throws: The error of the instrument.
  public func release() throws {
    try router.release(at: rate.timeRoundedUp(of: output.position))
  }

  /// Ends the sound immediately, and closes the output.
  public func end() {
    output.stop(draining: false)
  }
}

extension InstrumentUnit {
  /// Creates an instrument for events that are not known in advance.
  static func live(_ settings: SessionSettings) throws -> InstrumentUnit {
    var configuration = settings.instrument
    configuration.readsAllSamples = true
    configuration.workShare = SessionSettings.workShare
    return try InstrumentUnit(settings.layers(), configuration: configuration)
  }
}
