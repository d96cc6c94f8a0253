// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioProcessing
internal import Glibc
internal import MIDIMessages
internal import MusicalTime
internal import SoundFontInstruments

/// Plays sounds as a session does, one at a time, and measures how loud they are.
///
/// Effects are included, because the chorus of a preset may add 12 dB.
final class LevelProbe {
  /// Frequencies above 12 kHz, half the rate, add little to the loudness, and the work is halved.
  private static let rate = 24_000
  private static let stepFrames = 2_400
  /// Softer than most notes in songs.
  private static let velocity: UInt8 = 90
  /// The rules by which the presets are selected.
  static let bankMode = BankMode.gs

  private let rate: SampleRate
  private let instrument: InstrumentUnit
  private let renderer: OfflineRenderer
  private var last: SoundFontLevels.Sound?

  /// Starts a synthesiser; the samples of a sound are read when it is measured.
  ///
  /// - Throws: `InstrumentError` if a font cannot be used.
  init(_ settings: SessionSettings, programs: Set<Int>) throws {
    var settings = settings
    settings.rate = SampleRate(hertz: Self.rate) ?? settings.rate
    settings.gain = 1
    settings.effects = nil
    settings.polyphony = 64
    settings.hasChannelStrips = false
    rate = settings.rate
    var configuration = settings.instrument
    configuration.programs = programs
    configuration.bankMode = Self.bankMode
    instrument = try InstrumentUnit(settings.layers(), configuration: configuration)
    let mix = try SessionMix([instrument], settings, limits: false)
    renderer = OfflineRenderer(plan: mix.plan, rate: rate, clamps: false)
  }

  /// Measures the power of a sound over time.
  ///
  /// - Throws: `SoundFileError.meterMissing` if libebur128 is not installed.
  func profile(of sound: SoundFontLevels.Sound) throws -> LevelProfile? {
    strike(sound)
    let held = try (0..<LevelProfile.heldCount).map { _ in try power() }
    var released: [Double] = []
    if !sound.isDrum {
      send([Message(status: 0x80, data1: sound.key)])
      let end = max(held.last ?? 0, 1e-12)
      released = try (0..<LevelProfile.releasedCount).map { _ in try power() / end }
    }
    send([UInt8](0..<16).map { Message(status: 0xB0 | $0, data1: 120) })
    // The effects fade before the next sound is played.
    try render { _ in }
    return LevelProfile(
      held: held.map(LevelProfile.tenths), released: released.map(LevelProfile.tenths))
  }

  /// The power of the next tenth of a second, relative to a note at full velocity.
  private func power() throws -> Double {
    let meter = try LoudnessMeter(channelCount: 2, rate: rate, findsPeaks: false)
    try render { meter.measure($0) }
    // The meter measures blocks of 400 ms.
    meter.measure([Float](repeating: 0, count: 2 * 3 * Self.stepFrames).span)
    guard let loudness = meter.integrated else { return 0 }
    let full = 40 * log10(127 / Double(Self.velocity))
    return 4 * pow(10, (loudness + full - LoudnessEstimate.fullNote) / 10)
  }

  private func render(_ take: (Span<Float>) -> Void) throws {
    let end = renderer.position.frames + Int64(Self.stepFrames)
    try renderer.render(upTo: SampleTime(frames: end), prepare: { _ in true }, take: take)
  }

  private func strike(_ sound: SoundFontLevels.Sound) {
    // Selecting the same preset again would read its samples again.
    let isChosen = last?.bank == sound.bank && last?.program == sound.program
    last = sound
    send(Self.messages(for: sound, choosesPreset: !isChosen))
  }

  /// The messages that play a sound.
  static func messages(
    for sound: SoundFontLevels.Sound, choosesPreset: Bool = true
  ) -> [Message] {
    let channel: UInt8 = sound.isDrum ? 9 : 0
    var messages = [Message(status: 0xB0 | channel, data1: 7, data2: 127)]
    if choosesPreset {
      if !sound.isDrum { messages.append(Message(status: 0xB0, data1: 0, data2: sound.bank)) }
      messages.append(Message(status: 0xC0 | channel, data1: sound.program))
    }
    return messages + [Message(status: 0x90 | channel, data1: sound.key, data2: velocity)]
  }

  private func send(_ messages: [Message]) {
    let now = rate.timeRoundedUp(of: renderer.rendered)
    let events = messages.map { TimedEvent(time: now, payload: .message($0), track: 0) }
    _ = instrument.send(events.span, payloads: [UInt8]().span)
  }
}
