// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing
public import MIDIMessages
public import MusicalTime
internal import Realtime
internal import Synchronization

/// A soundfont played by FluidSynth or by Downbeat's own voices: a sink of events and a unit of a
/// graph.
///
/// Its output buses are stereo: the dry sound of each MIDI channel (or of all together), then
/// the returns of reverb and chorus. Events are in reference time, counted from the plan's frame
/// 0; one sounds within 32 frames of its time by FluidSynth, and at its time by our own voices.
///
/// It answers resets and rhythm parts of GM, GS, XG and MT-32, master volume, pan and tuning, the MIDI
/// Tuning Standard and registered parameters 0 to 4; a pitch is exact to a cent.
///
/// - Note: `send` and `cancel` are for one thread (the event thread), `silence` for any; the sound
///   is made on the render thread. With effects on, FluidSynth 2.3 allocates once a quantum inside
///   the OpenMP runtime.
@safe
public final class InstrumentUnit: PlayableUnit {
  /// The unit's name, for messages and graphs.
  public let name: String
  /// How it was set up.
  public let configuration: InstrumentConfiguration

  private let kernel: UnsafeMutablePointer<InstrumentKernel>
  private let events = FrameQueue<InstrumentEvent>(minimumCapacity: 8192)
  private var writer: FrameQueueWriter<InstrumentEvent>
  private let bytes = RingBuffer<UInt8>(minimumCapacity: 65_536)
  private var isPrepared = false
  /// The effects that what was prepared asks for and Downbeat's own voices do not have, each once.
  public private(set) var missingEffects: [RequestedEffect] = []
  /// SysEx messages larger than the byte ring, which were left out.
  public private(set) var droppedSysExCount = 0

  /// Why reverb and chorus were asked for and there are none: FluidSynth, whose they are, is missing or
  /// does not start.
  ///
  /// Nil where they are made, or nobody asked.
  public let effectsFault: InstrumentError?

  /// Whether reverb and chorus were asked for and there are none; `effectsFault` says why.
  public var lacksEffects: Bool { effectsFault != nil }

  /// Starts a synthesiser and reads a soundfont.
  ///
  /// - Throws: `InstrumentError` where the font cannot be read, or FluidSynth is asked for and missing.
  public convenience init(
    _ font: SoundFont, configuration: InstrumentConfiguration, name: String = "instrument"
  ) throws(InstrumentError) {
    try self.init([SoundFontLayer(font)], configuration: configuration, name: name)
  }

  /// Starts a synthesiser and reads soundfonts; where two have a program, the first plays it.
  ///
  /// - Throws: `InstrumentError` where a font cannot be read, or FluidSynth is asked for and missing.
  public convenience init(
    _ layers: [SoundFontLayer], configuration: InstrumentConfiguration,
    name: String = "instrument"
  ) throws(InstrumentError) {
    try self.init(
      SharedFonts(layers, for: configuration), configuration: configuration, name: name)
  }

  /// Starts a synthesiser on soundfonts that several instruments play.
  ///
  /// - Throws: `InstrumentError` where a font cannot be read, or FluidSynth is asked for and missing.
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

  /// None: it hears events, not sound.
  public var inputChannelCounts: [Int] { [] }

  /// Stereo buses: the dry ones, then reverb and chorus.
  public var outputChannelCounts: [Int] { Array(repeating: 2, count: configuration.busCount) }

  /// The rate it was set up for.
  public var rate: SampleRate? { configuration.rate }

  /// The instrument's kernel.
  ///
  /// Whoever asks is about to render: where nothing was prepared, our own voices read all samples now.
  public var step: RenderStep {
    if !isPrepared {
      unsafe kernel.pointee.readSamples()
      isPrepared = true
    }
    return unsafe RenderStep(kernel: kernel, function: InstrumentKernel.function)
  }

  /// Reads the samples of every preset that events will ask for, before the rendering starts.
  ///
  /// On a program change to a preset that was not prepared, the render thread reads its samples
  /// from the file by FluidSynth; by our own voices the preset is silent, unless nothing was prepared
  /// at all. A program that is not among the configuration's becomes program 0.
  ///
  /// - Parameters:
  ///   - events: all events of a song, in order.
  ///   - payloads: the bytes that `sysEx` payloads point into.
  /// - Returns: the presets that notes will ask for and no font has, each once.
  /// - Throws: `InstrumentError.cannotStart` where there is no memory for it.
  /// - Complexity: O(n) in the number of events, and the reading.
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

  /// Reads the samples of a part's preset, and notes a preset that no font has.
  private static func pin(
    _ part: Channel, of rehearsal: inout SoundModule, _ missing: inout [MissingPreset]
  ) {
    rehearsal.synth.pinPreset(of: part)
    guard let preset = rehearsal.missingPreset(on: part),
      !missing.contains(where: { ($0.bank, $0.program) == (preset.bank, preset.program) })
    else { return }
    missing.append(preset)
  }

  /// Applies what chooses a preset; returns the channel of a note, whose preset is heard.
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
  /// Takes events in order, from the first, and says how many it had room for.
  ///
  /// What an instrument cannot play is taken and left out.
  public func send(_ events: Span<TimedEvent>, payloads: Span<UInt8>) -> Int {
    for index in events.indices {
      guard take(events[index], payloads) else { return index }
    }
    return events.count
  }

  /// Forgets everything due at or after an instant.
  public func cancel(from time: ReferenceTime) {
    writer.cancel(from: configuration.rate.frame(at: time).frames)
  }

  /// Ends every sound at the start of the next quantum, and forgets what is waiting, programs
  /// and controllers.
  ///
  /// - Note: Any thread.
  public func silence() {
    unsafe kernel.pointee.report.wantsSilence.store(true, ordering: .releasing)
  }

  /// The voices that sound, as of the last quantum.
  ///
  /// - Note: Any thread.
  public var activeVoiceCount: Int {
    unsafe kernel.pointee.report.voiceCount.load(ordering: .relaxed)
  }

  /// Events that came too late for their quantum and were played at the next.
  ///
  /// - Note: Any thread.
  public var lateEventCount: Int {
    unsafe kernel.pointee.report.lateEventCount.load(ordering: .relaxed)
  }

  /// Notes that were silent because no voice was free.
  ///
  /// - Note: Any thread.
  public var refusedNoteCount: Int {
    unsafe kernel.pointee.report.refusedNoteCount.load(ordering: .relaxed)
  }

  /// Notes that were struck when every voice was taken, and so took the voices of others.
  ///
  /// - Note: Any thread.
  public var stealingNoteCount: Int {
    unsafe kernel.pointee.report.stealingNoteCount.load(ordering: .relaxed)
  }

  /// Voices that were let go since there was no time for them; see
  /// `InstrumentConfiguration.workShare`.
  ///
  /// - Note: Any thread.
  public var shedVoiceCount: Int {
    unsafe kernel.pointee.report.shedVoiceCount.load(ordering: .relaxed)
  }

  /// Whether no event waits, no voice sounds, and the effects have died away to −100 dBFS.
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
    // The bytes are of use only if their event fits, too.
    guard writer.room > 0,
      bytes.writer.push(contentsOf: payloads.extracting(Int(place.offset)..<end))
    else { return false }
    return writer.push(
      InstrumentEvent(sysExCount: place.count, message: Message(status: 0xF0)), frame: frame)
  }
}
