internal import AudioProcessing
internal import CCoreAudio
// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
internal import Downbeat
internal import Foundation
internal import MIDIMessages
internal import MusicalTime
internal import SoundFontInstruments
internal import Synchronization

/// A synthesiser with a soundfont that renders slices of any length.
///
/// - Note: One thread renders; any thread sends.
@safe
final class InstrumentPlayer: @unchecked Sendable {
  // Unchecked: one thread reads the output, and a lock protects sending.

  let rate: SampleRate
  private let instrument: InstrumentUnit
  private let mixer: MixerUnit
  private let output: ProgramOutput
  private let interleaved: UnsafeMutablePointer<Float>
  private let capacity: Int
  private let sending = Mutex(EventBuffer(capacity: 64, payloadCapacity: 4096))
  /// The number of rendered frames.
  private let done = Atomic<Int64>(0)
  /// The difference between the synthesiser's frames and the caller's frames.
  private let shift = Atomic<Int64>(0)

  /// The sounds that were read; nil for all sounds of the soundfont.
  let sounds: PlayedSounds?

  /// Reads the soundfont: the one that was set, or otherwise the one that `downbeat` would choose.
  ///
  /// For a player only the sounds that it needs are read; other sounds are read when they are
  /// requested.
  ///
  /// - Throws: an error if a soundfont or a synthesiser is missing.
  init(_ settings: UnitObject.State, for sounds: PlayedSounds? = nil) throws {
    guard let rate = SampleRate(hertz: Int(settings.rate)), (8000...96_000).contains(rate.hertz),
      let font = settings.soundFont ?? Self.standardFont()
    else { throw StatusError(kAudioUnitErr_FailedInitialization) }
    // A player's sounds do not include the chosen preset.
    let sounds = settings.preset == nil ? sounds : nil
    (self.rate, self.sounds) = (rate, sounds)
    var configuration = InstrumentConfiguration(rate: rate)
    configuration.dryBuses = .mixed
    configuration.readsAllSamples = sounds == nil
    configuration.polyphony = SessionSettings(soundFont: font, rate: rate).polyphony
    instrument = try InstrumentUnit(SoundFont(path: font), configuration: configuration)
    if let events = sounds?.events {
      try instrument.prepare(events.events.span, payloads: events.payloads.span)
    }
    mixer = MixerUnit(stripCount: 3, rate: rate)
    var graph = AudioGraph()
    let head = graph.add(mixer)
    let node = graph.add(instrument)
    for bus in 0..<3 { try graph.connect(node, output: bus, to: head, input: bus) }
    try graph.setHead(head)
    output = ProgramOutput(try graph.compile(), rate: rate, clamps: false)
    capacity = max(64, settings.maximumFrames)
    unsafe interleaved = .allocate(capacity: 2 * capacity)
    unsafe interleaved.initialize(repeating: 0, count: 2 * capacity)
    for (place, value) in settings.parameters { set(place.id, to: value) }
    if !settings.isReverberant { mixer[1].isMuted = true }
    if let preset = settings.preset { choose(preset) }
  }

  deinit {
    unsafe interleaved.deallocate()
  }

  private static func standardFont() -> String? {
    let process = ProcessInfo.processInfo
    return SoundFontDiscovery(
      environment: process.environment, executable: process.arguments.first ?? ""
    ).find()
  }

  /// Selects a preset on every channel; drums are selected with the part mode of XG.
  private func choose(_ preset: SamplerPreset) {
    for channel in UInt8(0)..<16 {
      send(sysEx: [0x43, 0x10, 0x4C, 8, channel, 7, preset.isDrums ? 1 : 0])
      send(Message(status: 0xB0 | channel, data1: 0, data2: preset.bank), offset: 0)
      send(Message(status: 0xC0 | channel, data1: preset.program), offset: 0)
    }
  }

  /// Sets a parameter of the global scope; other parameters are ignored.
  func set(_ parameter: AudioUnitParameterID, to value: Float) {
    let factor = value <= -120 ? 0 : Float(pow(10, Double(value) / 20))
    switch parameter {
    case kMusicDeviceParam_Volume: mixer.sum.gain = factor
    case kMusicDeviceParam_ReverbVolume: mixer[1].gain = factor
    default: break
    }
  }

  /// Renders frames into memory; `time` is the frame of the caller.
  func read(_ memory: StereoMemory, _ frames: Int, at time: Double) {
    let asked = Int64(exactly: time.rounded()) ?? 0
    shift.store(nextFrame - asked, ordering: .relaxed)
    let samples = unsafe UnsafeMutableBufferPointer(start: interleaved, count: 2 * frames)
    var span = unsafe samples.mutableSpan
    output.read(into: &span)
    done.add(Int64(frames), ordering: .relaxed)
    for frame in 0..<frames {
      unsafe memory.left[frame] = interleaved[2 * frame]
      unsafe memory.right[frame] = interleaved[2 * frame + 1]
    }
  }

  /// Sends a message that is due a number of frames from now.
  func send(_ message: Message, offset: UInt32) {
    sending.withLock { buffer in
      buffer.removeAll()
      buffer.append(TimedEvent(time: now(offset), payload: .message(message)))
      _ = instrument.send(buffer.events.span, payloads: buffer.payloads.span)
    }
  }

  /// Sends a SysEx message, without F0 and F7.
  func send(sysEx bytes: [UInt8]) {
    sending.withLock { buffer in
      buffer.removeAll()
      buffer.append(sysEx: bytes.span, time: now(0), track: 0)
      _ = instrument.send(buffer.events.span, payloads: buffer.payloads.span)
    }
  }

  private func now(_ offset: UInt32) -> ReferenceTime {
    rate.timeRoundedUp(of: SampleTime(frames: nextFrame + Int64(offset)))
  }

  /// The frame that is rendered next.
  var nextFrame: Int64 { done.load(ordering: .relaxed) }

  /// Sends events, with times converted by `time`; returns the number of events that were accepted.
  func send<Time: Instant>(
    _ events: Span<StampedEvent<Time>>, payloads: Span<UInt8>, at time: (Time) -> ReferenceTime
  ) -> Int {
    sending.withLock { buffer in
      buffer.removeAll()
      for index in events.indices {
        let event = events[index]
        buffer.append(event.moved(to: time(event.time)), payloads: payloads)
      }
      return instrument.send(buffer.events.span, payloads: buffer.payloads.span)
    }
  }

  /// Cancels the events that are due at or after a time of the synthesiser.
  func cancel(from time: ReferenceTime) {
    sending.withLock { _ in instrument.cancel(from: time) }
  }

  /// Sends events at host times; returns the number of events that were accepted.
  func send(_ events: Span<HostEvent>, payloads: Span<UInt8>, _ base: TimeBase?) -> Int {
    send(events, payloads: payloads) { time(at: $0, base) }
  }

  /// Cancels the events that are due at or after a host time.
  func cancel(from host: HostTime, _ base: TimeBase?) {
    cancel(from: time(at: host, base))
  }

  private func time(at host: HostTime, _ base: TimeBase?) -> ReferenceTime {
    guard let base else { return now(0) }
    let frames = rate.frame(at: base.time(at: host)).frames + shift.load(ordering: .relaxed)
    return rate.timeRoundedUp(of: SampleTime(frames: max(0, frames)))
  }

  /// Ends all sounds.
  func silence() { instrument.silence() }
}
