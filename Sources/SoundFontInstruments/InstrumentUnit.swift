// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing
public import MIDIMessages
public import MusicalTime
internal import Realtime
internal import Synchronization

/// An instrument that plays soundfonts with Downbeat's own voices or FluidSynth.
///
/// The instrument is a unit of a graph, and receives events. The output buses are stereo: the dry
/// sound of each MIDI channel (or of all channels together), followed by the sound of reverb and
/// chorus. Events are in reference time, counted from frame 0 of the plan. Downbeat's own voices
/// play events exactly at their time; FluidSynth plays them within 32 frames.
///
/// The instrument responds to resets and rhythm parts of GM, GS, XG and MT-32, master volume, pan
/// and tuning, the MIDI Tuning Standard, and registered parameters 0 to 4. Pitches are exact to one
/// cent.
///
/// - Note: Call `send` and `cancel` on one thread (the event thread), and `silence` on any thread.
///   The sound is made on the render thread. With effects, FluidSynth 2.3 allocates memory once per
///   quantum inside the OpenMP runtime.
@safe
public final class InstrumentUnit: PlayableUnit {
  /// The unit's name, for messages and graphs.
  public let name: String
  /// The configuration.
  public let configuration: InstrumentConfiguration

  private let kernel: UnsafeMutablePointer<InstrumentKernel>
  private let events = FrameQueue<InstrumentEvent>(minimumCapacity: 8192)
  private var writer: FrameQueueWriter<InstrumentEvent>
  private let bytes = RingBuffer<UInt8>(minimumCapacity: 65_536)
  private var isPrepared = false
  /// The effects that the events passed to `prepare` request but Downbeat's own voices do not have,
  /// without duplicates.
  public private(set) var missingEffects: [RequestedEffect] = []
  /// The number of SysEx messages that were dropped because they do not fit the ring buffer of 64
  /// KiB.
  public private(set) var droppedSysExCount = 0

  /// The reason that reverb and chorus were requested but are off: FluidSynth, which provides them,
  /// is missing or does not start.
  ///
  /// Nil if the effects work or were not requested.
  public let effectsFault: InstrumentError?

  /// True if reverb and chorus were requested but are off; `effectsFault` is the reason.
  public var lacksEffects: Bool { effectsFault != nil }

  /// Creates an instrument with one soundfont.
  ///
  /// - Throws: `InstrumentError` if the font cannot be read, or if FluidSynth is requested but
  ///   missing.
  public convenience init(
    _ font: SoundFont, configuration: InstrumentConfiguration, name: String = "instrument"
  ) throws(InstrumentError) {
    try self.init([SoundFontLayer(font)], configuration: configuration, name: name)
  }

  /// Creates an instrument with several soundfonts.
  ///
  /// If two fonts have a program, the first font plays it.
  ///
  /// - Throws: `InstrumentError` if a font cannot be read, or if FluidSynth is requested but
  ///   missing.
  public convenience init(
    _ layers: [SoundFontLayer], configuration: InstrumentConfiguration,
    name: String = "instrument"
  ) throws(InstrumentError) {
    try self.init(
      SharedFonts(layers, for: configuration), configuration: configuration, name: name)
  }

  /// Creates an instrument with soundfonts that several instruments share.
  ///
  /// - Throws: `InstrumentError` if a font cannot be read, or if FluidSynth is requested but
  ///   missing.
  public init(
    _ fonts: SharedFonts, configuration: InstrumentConfiguration, name: String = "instrument"
  ) throws(InstrumentError) {
    var configuration = configuration
    configuration.gain *= fonts.loudest
    configuration.ownPresets = fonts.ownPresets
    let synth = try fonts.synth(configuration)
    self.name = name
    self.configuration = configuration
    effectsFault = synth.effectsFault
    writer = events.makeWriter()
    unsafe kernel = .allocate(capacity: 1)
    unsafe kernel.initialize(
      to: InstrumentKernel(
        synth, configuration, events.makeReader(), bytes: bytes.reader,
        byteCapacity: bytes.capacity))
  }

  deinit {
    unsafe kernel.deinitialize(count: 1).deallocate()
  }

  /// The instrument does not have input buses; it receives events.
  public var inputChannelCounts: [Int] { [] }

  /// The channel count of each output: stereo buses of the dry sound, followed by those of reverb
  /// and chorus.
  public var outputChannelCounts: [Int] { Array(repeating: 2, count: configuration.busCount) }

  /// The sample rate of the configuration.
  public var rate: SampleRate? { configuration.rate }

  /// The unit's kernel, with the function that renders one quantum.
  ///
  /// Reading this property prepares rendering: if `prepare` was not called before, Downbeat's own
  /// voices read all samples now.
  public var step: RenderStep {
    if !isPrepared {
      unsafe kernel.pointee.readSamples()
      isPrepared = true
    }
    return unsafe RenderStep(kernel: kernel, function: InstrumentKernel.function)
  }

  /// Reads the samples of all presets that events will use, before rendering starts.
  ///
  /// If an event selects a preset that was not prepared, FluidSynth reads its samples on the render
  /// thread. With Downbeat's own voices the preset is silent, unless `prepare` was never called. A
  /// program that is not in the configuration's `programs` is replaced by program 0.
  ///
  /// - Parameters:
  ///   - events: all events of a song, in order.
  ///   - payloads: the bytes to which `sysEx` payloads refer.
  /// - Returns: the presets that notes use but the fonts do not have, without duplicates.
  /// - Throws: `InstrumentError.cannotStart` if there is too little memory.
  /// - Complexity: O(n) in the number of events, in addition to reading the samples.
  @discardableResult
  public func prepare(
    _ events: Span<TimedEvent>, payloads: Span<UInt8>
  ) throws(InstrumentError) -> [MissingPreset] {
    isPrepared = true
    var missing: [MissingPreset] = []
    var rehearsal = try unsafe kernel.pointee.rehearsal(configuration)
    var isPinned = [Bool](repeating: false, count: 16)
    var effects = EffectRehearsal()
    for index in events.indices {
      switch events[index].payload {
      case .message(let message):
        guard let channel = Self.rehearse(message, &rehearsal) else {
          guard message.status & 0xF0 == 0xC0 else { continue }
          let channel = Channel(index: message.status & 0x0F)
          for part in rehearsal.parts(receiving: channel) { isPinned[part] = false }
          continue
        }
        effects.takeNote()
        for part in rehearsal.parts(receiving: channel) where !isPinned[part] {
          isPinned[part] = true
          Self.pin(Channel(index: UInt8(part)), of: &rehearsal, &missing)
        }
      case .sysEx(let place):
        Self.rehearse(payloads, place, &rehearsal, &effects)
        isPinned = Array(repeating: false, count: 16)
      default: break
      }
    }
    effects.takeNote()
    missingEffects = configuration.engine == .downbeat ? effects.missing : []
    return missing
  }

  /// Reads the samples of a part's preset, and records a preset that fonts do not have.
  private static func pin(
    _ part: Channel, of rehearsal: inout SoundModule, _ missing: inout [MissingPreset]
  ) {
    rehearsal.synth.pinPreset(of: part)
    guard let preset = rehearsal.missingPreset(on: part),
      !missing.contains(where: { ($0.bank, $0.program) == (preset.bank, preset.program) })
    else { return }
    missing.append(preset)
  }

  /// Applies messages that select presets; for a note, returns its channel, whose preset is needed.
  private static func rehearse(
    _ message: Message, _ rehearsal: inout SoundModule
  ) -> Channel? {
    switch message.status & 0xF0 {
    case 0x90 where message.data2 > 0: return message.channel
    case 0xB0 where message.data1 == 0 || message.data1 == 32: rehearsal.apply(message)
    case 0xC0: rehearsal.apply(message)
    default: break
    }
    return nil
  }

  private static func rehearse(
    _ payloads: Span<UInt8>, _ place: PayloadRange, _ rehearsal: inout SoundModule,
    _ effects: inout EffectRehearsal
  ) {
    let bytes = payloads.extracting(Int(place.offset)..<Int(place.offset) + Int(place.count))
    unsafe bytes.withUnsafeBufferPointer {
      guard let base = $0.baseAddress else { return }
      unsafe rehearsal.applySysEx(base, count: $0.count)
      unsafe effects.take(base, count: $0.count)
    }
  }
}

extension InstrumentUnit {
  /// Queues events, and returns the number of events accepted, counted from the first.
  ///
  /// Events that an instrument cannot play are accepted and ignored.
  public func send(_ events: Span<TimedEvent>, payloads: Span<UInt8>) -> Int {
    for index in events.indices {
      guard take(events[index], payloads) else { return index }
    }
    return events.count
  }

  /// Removes queued events that are due at or after an instant.
  public func cancel(from time: ReferenceTime) {
    writer.cancel(from: configuration.rate.frame(at: time).frames)
  }

  /// Ends all sounds at the start of the next quantum, discards waiting events, and resets programs
  /// and controllers.
  ///
  /// - Note: Any thread.
  public func silence() {
    unsafe kernel.pointee.report.wantsSilence.store(true, ordering: .releasing)
  }

  /// The number of voices that were sounding at the end of the last quantum.
  ///
  /// - Note: Any thread.
  public var activeVoiceCount: Int {
    unsafe kernel.pointee.report.voiceCount.load(ordering: .relaxed)
  }

  /// The number of events that arrived too late for their quantum and were played in the next
  /// quantum.
  ///
  /// - Note: Any thread.
  public var lateEventCount: Int {
    unsafe kernel.pointee.report.lateEventCount.load(ordering: .relaxed)
  }

  /// The number of notes that were silent because all voices were in use.
  ///
  /// - Note: Any thread.
  public var refusedNoteCount: Int {
    unsafe kernel.pointee.report.refusedNoteCount.load(ordering: .relaxed)
  }

  /// The number of notes for which voices of other notes were ended, because all voices were in
  /// use.
  ///
  /// - Note: Any thread.
  public var stealingNoteCount: Int {
    unsafe kernel.pointee.report.stealingNoteCount.load(ordering: .relaxed)
  }

  /// The number of voices that were released because rendering took too long; see
  /// `InstrumentConfiguration.workShare`.
  ///
  /// - Note: Any thread.
  public var shedVoiceCount: Int {
    unsafe kernel.pointee.report.shedVoiceCount.load(ordering: .relaxed)
  }

  /// True if no events are waiting, no voices sound, and the effects have decayed to −100 dBFS.
  public var isSilent: Bool {
    let wet = unsafe kernel.pointee.report.wetPeak.load(ordering: .relaxed)
    return events.isEmpty && activeVoiceCount == 0
      && Float(bitPattern: wet) < 1e-5
  }

  private func take(_ event: TimedEvent, _ payloads: Span<UInt8>) -> Bool {
    let frame = configuration.rate.frame(at: event.time).frames
    switch event.payload {
    case .message(let message):
      guard message.status < 0xF0 else { return true }
      return writer.push(InstrumentEvent(sysExCount: 0, message: message), frame: frame)
    case .sysEx(let place):
      return takeSysEx(place, payloads, frame)
    default:
      return true
    }
  }

  private func takeSysEx(_ place: PayloadRange, _ payloads: Span<UInt8>, _ frame: Int64) -> Bool {
    guard place.count > 0 else { return true }
    guard place.count <= UInt32(bytes.capacity) else {
      droppedSysExCount += 1
      return true
    }
    let end = Int(place.offset) + Int(place.count)
    // The bytes are useful only if their event fits too.
    guard writer.room > 0,
      bytes.writer.push(contentsOf: payloads.extracting(Int(place.offset)..<end))
    else { return false }
    return writer.push(
      InstrumentEvent(sysExCount: place.count, message: Message(status: 0xF0)), frame: frame)
  }
}
