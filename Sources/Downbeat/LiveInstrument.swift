// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing
public import MIDIMessages
public import MusicalTime
internal import SoundFontInstruments

/// An instrument that is played live: what comes in sounds a constant time later.
///
/// The time is counted from the host time an event carries, not from when it was taken, so that a
/// player's timing is kept to half a quantum; what is taken too late sounds at once.
///
/// - Note: one thread at a time. Not real-time safe.
public final class LiveInstrument {
  /// What may pass between an event's time and its being taken, in nanoseconds.
  private static let allowance: Int64 = 1_000_000

  /// What passes from an event's time to its sound.
  ///
  /// Effects that are added later, and are late, make it longer.
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

  /// Reads the soundfonts with all their samples, so that none is read while it is played, and
  /// starts the output.
  ///
  /// - Parameters:
  ///   - settings: what the sound is made with.
  ///   - registry: who makes the units of the settings' effects.
  ///   - output: where it is heard.
  /// - Throws: where a soundfont cannot be used, or the output cannot be started.
  public convenience init(
    _ settings: SessionSettings, registry: UnitRegistry = .standard, on output: any OutputUnit
  ) throws {
    let instrument = try InstrumentUnit.live(settings)
    let mix = try SessionMix([instrument], settings, by: registry)
    try self.init(instrument, instrument, mix, on: output)
  }

  /// Starts the output with an instrument of the program's own.
  ///
  /// - Parameters:
  ///   - unit: the instrument, at the output's rate; its first bus is heard.
  ///   - gain: a linear factor on the whole.
  ///   - output: where it is heard.
  /// - Throws: `GraphError` where the unit does not fit; what the output throws.
  public convenience init(
    _ unit: any PlayableUnit, gain: Float = 1, on output: any OutputUnit
  ) throws {
    let settings = SessionSettings(rate: output.format.rate, gain: gain)
    try self.init(unit, settings, on: output)
  }

  /// Starts the output with an instrument of the program's own, with effects.
  ///
  /// - Parameters:
  ///   - unit: the instrument, at the output's rate; its first bus is heard.
  ///   - settings: rate, gain and effects; the soundfonts play nothing.
  ///   - registry: who makes the units of the settings' effects.
  ///   - output: where it is heard.
  /// - Throws: `GraphError` where the unit or the effects do not fit; what the output throws.
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

  /// Why the output takes no more sound; nil while it does.
  public var fault: (any Error)? { output.fault }

  /// Notes that were silent because no voice was free.
  public var refusedNoteCount: Int { instrument?.refusedNoteCount ?? 0 }

  /// Voices that were let go since there was no time for them.
  public var shedVoiceCount: Int { instrument?.shedVoiceCount ?? 0 }

  /// The voices that sound.
  public var voiceCount: Int { instrument?.activeVoiceCount ?? 0 }

  /// A linear factor on the whole, before the limiter, 0…16; 1 is what the settings say.
  public var volume: Float {
    get { mix.mixer.sum.gain }
    set { mix.mixer.sum.gain = min(max(newValue, 0), 16) }
  }

  /// What the sound is pulled through; `edit` changes it.
  public var graph: AudioGraph { mix.plan.graph }

  /// The mixer on which everything meets.
  public var mixer: MixerUnit { mix.mixer }

  /// Changes the graph while it sounds: what is changed goes over in 5 ms.
  ///
  /// - Returns: What the closure returned.
  /// - Throws: `GraphError`, what the closure throws too; then nothing is changed.
  @discardableResult
  public func edit<Result>(
    _ change: (inout AudioGraph) throws(GraphError) -> Result
  ) throws(GraphError) -> Result {
    try mix.plan.edit(change)
  }

  /// Puts an effect of the program's own behind the sum, before the limiter; it comes after those
  /// that were added before.
  ///
  /// - Throws: `GraphError` where the effect does not fit there.
  public func addEffect(_ effect: any ProcessingUnit) throws(GraphError) {
    var chains = effects
    try edit { graph throws(GraphError) in
      try chains.add(effect, behind: mix.mixer, to: &graph)
    }
    effects = chains
  }

  /// Mixes in what a unit makes, such as an `InputUnit` a microphone's sound, as `Session.addInput` does.
  ///
  /// - Parameters:
  ///   - unit: the unit, whose first bus is mono or stereo.
  ///   - gain: a linear factor, 0…16.
  /// - Throws: `GraphError` where the unit does not fit there.
  public func addInput(_ unit: any ProcessingUnit, gain: Float = 1) throws(GraphError) {
    var chains = effects
    try edit { graph throws(GraphError) in
      try chains.mix(unit, gain: gain, behind: mix.mixer, to: &graph, rate: rate)
    }
    effects = chains
  }

  /// How loud the whole is, before effects of its own and the limiter.
  ///
  /// - Note: any thread.
  public var level: (left: Level, right: Level) { mix.mixer.sumLevel }

  /// Semitones by which notes are shifted that are struck from now on, below zero down; drums are
  /// spared, and what leaves the keys is silent.
  public var transposition: Int {
    get { route.transform.transposition }
    set {
      route.transform.transposition = newValue
      router.setRoutes([route])
    }
  }

  /// How long its rendering has taken so far; what is asked for the first time is measured from
  /// then on.
  public var renderLoad: RenderLoad { mix.load(rate) }

  /// Takes what has come in, in order; to be called every few milliseconds, with nothing too.
  ///
  /// - Parameter events: what came in, each at its host time; facts and parameters are left out.
  /// - Throws: nothing an instrument does.
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
      // To the instrument all senders are one.
      event.track = 0
      moved.append(event, payloads: events.payloads.span)
    }
    try router.send(moved)
  }

  /// Lets notes be heard on some channels alone; of the others what sounds ends.
  ///
  /// Programs and controllers of the others are taken all the same.
  ///
  /// - Parameter channels: bit n for channel index n.
  /// - Throws: nothing an instrument does.
  public func setHeardChannels(_ channels: UInt16) throws {
    let ending = route.filter.struckChannels & ~channels
    route.filter.struckChannels = channels
    router.setRoutes([route])
    try router.send(
      EventBuffer(endingNotesOn: ending, at: rate.timeRoundedUp(of: output.position)))
  }

  /// Takes a message now, as if it had just come in.
  ///
  /// - Returns: When it is heard, for `Task.sleep(until:clock:)` on `.host`; nil before the output
  ///   has begun.
  /// - Throws: nothing an instrument does.
  @discardableResult
  public func send(_ message: Message) throws -> HostTime? {
    var events = EventBuffer(capacity: 1, payloadCapacity: 0)
    let time = rate.timeRoundedUp(of: output.position)
    events.append(TimedEvent(time: time, payload: .message(message)))
    try router.send(events)
    return reference.base?.hostTime(of: time)
  }

  /// Lets go of every key and pedal that is held; what sounds rings out.
  ///
  /// - Throws: nothing an instrument does.
  public func release() throws {
    try router.release(at: rate.timeRoundedUp(of: output.position))
  }

  /// Ends the sound, at once, and lets go of the output.
  public func end() {
    output.stop(draining: false)
  }
}

extension InstrumentUnit {
  /// An instrument of which nobody knows what it will be asked for.
  static func live(_ settings: SessionSettings) throws -> InstrumentUnit {
    var configuration = settings.instrument
    configuration.readsAllSamples = true
    configuration.workShare = SessionSettings.workShare
    return try InstrumentUnit(settings.layers(), configuration: configuration)
  }
}
