// SPDX-License-Identifier: Apache-2.0
internal import CFluidSynth
internal import FileNames
internal import Glibc
internal import MIDIMessages
internal import MusicalTime
internal import Realtime
internal import SoundFontFiles
internal import Synchronization

/// The owner of one FluidSynth synthesiser.
///
/// Call all methods after `init` on one thread at a time; FluidSynth's own locks are off.
@safe
struct SynthHandle: ~Copyable {
  let table: UnsafePointer<CFluidSynthTable>
  let synth: OpaquePointer
  private let settings: OpaquePointer
  private let isBorrowingFont: Bool
  /// Copies of fonts that are not files.
  private var copies: [MemoryFile] = []
  /// The attenuation of each font in centibels, by font number; nil without attenuation.
  private var levels: UnsafeMutablePointer<Float>?
  private var levelCount: Int32 = 0
  /// The parameter selection of each of the 16 channels.
  let selections: UnsafeMutablePointer<GeneratorSelection>

  /// Starts a synth without a font: `new_fluid_settings`, `new_fluid_synth`.
  init(_ configuration: InstrumentConfiguration) throws(InstrumentError) {
    try self.init(configuration, borrowingFont: false)
  }

  private init(
    _ configuration: InstrumentConfiguration, borrowingFont: Bool
  ) throws(InstrumentError) {
    guard let table = unsafe cfluidsynth_table() else {
      throw unsafe .libraryMissing(reason: String(cString: cfluidsynth_missing()))
    }
    guard (8000...96_000).contains(configuration.rate.hertz) else {
      throw .rateOutOfRange(hertz: Int(configuration.rate.hertz))
    }
    guard let settings = unsafe table.pointee.new_fluid_settings() else {
      throw .cannotStart(reason: Self.takeWords())
    }
    unsafe Self.apply(configuration, to: settings, table)
    guard let synth = unsafe Self.start(table, settings) else {
      unsafe table.pointee.delete_fluid_settings(settings)
      throw .cannotStart(reason: Self.takeWords())
    }
    unsafe self.table = table
    unsafe self.settings = settings
    unsafe self.synth = synth
    isBorrowingFont = borrowingFont
    unsafe levels = nil
    unsafe selections = .allocate(capacity: 16)
    unsafe selections.initialize(repeating: GeneratorSelection(), count: 16)
  }

  deinit {
    while isBorrowingFont, let font = unsafe table.pointee.fluid_synth_get_sfont(synth, 0) {
      _ = unsafe table.pointee.fluid_synth_remove_sfont(synth, font)
    }
    unsafe levels?.deallocate()
    unsafe selections.deallocate()
    unsafe table.pointee.delete_fluid_synth(synth)
    unsafe table.pointee.delete_fluid_settings(settings)
  }

  private static let starting = Mutex(())

  /// Starts a synth: `new_fluid_synth`; nil if FluidSynth fails.
  static func start(
    _ table: UnsafePointer<CFluidSynthTable>, _ settings: OpaquePointer
  ) -> OpaquePointer? {
    // The first synth fills shared tables, and a second one does not wait until they are complete.
    nonisolated(unsafe) let (functions, chosen) = unsafe (table, settings)
    let started = starting.withLock { _ in
      unsafe Int(bitPattern: functions.pointee.new_fluid_synth(chosen))
    }
    return unsafe OpaquePointer(bitPattern: started)
  }

  private static func apply(
    _ configuration: InstrumentConfiguration, to settings: OpaquePointer,
    _ table: UnsafePointer<CFluidSynthTable>
  ) {
    let dry = Int32(configuration.dryBuses.rawValue)
    let integers: [(String, Int32)] = [
      ("synth.threadsafe-api", 0),
      ("synth.dynamic-sample-loading", configuration.readsAllSamples ? 0 : 1),
      ("synth.lock-memory", 0), ("synth.cpu-cores", 1), ("synth.device-id", 16),
      ("synth.audio-channels", dry), ("synth.audio-groups", dry), ("synth.effects-groups", 1),
      ("synth.polyphony", Int32(clamping: min(65_535, max(1, configuration.polyphony)))),
      ("synth.reverb.active", configuration.hasEffects ? 1 : 0),
      ("synth.chorus.active", configuration.hasEffects ? 1 : 0),
    ]
    for (name, value) in integers {
      _ = unsafe table.pointee.fluid_settings_setint(settings, name, value)
    }
    let numbers = [
      ("synth.sample-rate", Double(configuration.rate.hertz)),
      ("synth.gain", Double(min(10, max(0, configuration.gain)))),
    ]
    for (name, value) in numbers {
      _ = unsafe table.pointee.fluid_settings_setnum(settings, name, value)
    }
    unsafe EffectSettings.apply(to: settings, table)
  }

  /// The messages of FluidSynth since the last call, on one line.
  static func takeWords() -> String {
    var words = [CChar](repeating: 0, count: 1024)
    unsafe cfluidsynth_take_words(&words, words.count)
    let bytes = words.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    // A refused font is tried by each loader, and each of them reports the reason.
    var said: Set<Substring> = []
    let lines = FileName.text(of: bytes).split(separator: "\n")
      .filter { said.insert($0).inserted }
    return lines.isEmpty ? "unknown reason" : lines.joined(separator: "; ")
  }
}

extension SynthHandle {
  /// Loads fonts, of which the first has precedence: `fluid_synth_sfload`.
  ///
  /// Only presets with the given program numbers and with program 0 are loaded, or all presets. A
  /// font without any of these programs is loaded completely.
  mutating func load(
    _ layers: [SoundFontLayer], programs: Set<Int>?
  ) throws(InstrumentError) {
    if programs != nil { unsafe cfluidsynth_add_loader(table, settings, synth) }
    for layer in layers.reversed() {
      _ = Self.takeWords()
      let excerpt = programs.flatMap { layer.font.tables.excerpt(programs: $0.union([0])) }
      let font = load(try path(of: layer.font), excerpt)
      guard font >= 0 else { throw .broken(path: layer.font.path, reason: Self.takeWords()) }
      if layer.bankOffset != 0 {
        _ = unsafe table.pointee.fluid_synth_set_bank_offset(synth, font, Int32(layer.bankOffset))
      }
    }
    if layers.contains(where: { $0.bankOffset != 0 }) {
      _ = unsafe table.pointee.fluid_synth_program_reset(synth)
    }
    setLevels(layers)
  }

  /// The path of a font, or of a copy if the font is not a file.
  private mutating func path(of font: SoundFont) throws(InstrumentError) -> String {
    guard !font.isFile else { return font.path }
    let copy = try Self.copy(of: font)
    copies.append(copy)
    return copy.path
  }

  /// Loads a font or an excerpt of it; returns its number, or a number below 0 on failure.
  private func load(_ path: String, _ excerpt: SoundFontExcerpt?) -> Int32 {
    guard let excerpt else {
      return path.withSystemPath { unsafe cfluidsynth_load_font(table, synth, $0, nil) }
    }
    let size = UInt32(truncatingIfNeeded: excerpt.size).littleEndian
    return unsafe excerpt.tables.withUnsafeBufferPointer { tables in
      var given = unsafe CFluidSynthExcerpt(
        own_count: excerpt.ownByteCount,
        size: unsafeBitCast(size, to: (UInt8, UInt8, UInt8, UInt8).self),
        tables: tables.baseAddress, table_count: tables.count)
      return path.withSystemPath { unsafe cfluidsynth_load_font(table, synth, $0, &given) }
    }
  }

  /// FluidSynth numbers fonts from 1 in the order of loading.
  ///
  /// It can attenuate sounds but not amplify them, so the loudest font is unchanged.
  private mutating func setLevels(_ layers: [SoundFontLayer]) {
    guard let loudest = layers.map(\.gain).max(), layers.contains(where: { $0.gain < loudest })
    else { return }
    let levels = UnsafeMutablePointer<Float>.allocate(capacity: layers.count)
    for (index, layer) in layers.reversed().enumerated() {
      unsafe (levels + index).initialize(to: 200 * log10f(loudest / max(layer.gain, 1e-7)))
    }
    unsafe self.levels = levels
    levelCount = Int32(layers.count)
    levelAllChannels()
  }

  /// Starts a second synth that shares this synth's fonts: `fluid_synth_add_sfont`.
  ///
  /// It must end earlier. It is not audible, so it has one voice and does not have effects.
  func companion(
    _ configuration: InstrumentConfiguration
  ) throws(InstrumentError) -> SynthHandle {
    var configuration = configuration
    configuration.dryBuses = .mixed
    configuration.hasEffects = false
    configuration.polyphony = 1
    let companion = try SynthHandle(configuration, borrowingFont: true)
    let count = unsafe table.pointee.fluid_synth_sfcount(synth)
    for place in (0..<UInt32(max(count, 0))).reversed() {
      guard let font = unsafe table.pointee.fluid_synth_get_sfont(synth, place) else { continue }
      let number = unsafe companion.table.pointee.fluid_synth_add_sfont(companion.synth, font)
      guard number >= 0 else { throw .cannotStart(reason: Self.takeWords()) }
      let offset = unsafe table.pointee.fluid_synth_get_bank_offset(
        synth, table.pointee.fluid_sfont_get_id(font))
      _ = unsafe table.pointee.fluid_synth_set_bank_offset(companion.synth, number, offset)
    }
    _ = unsafe table.pointee.fluid_synth_program_reset(companion.synth)
    return companion
  }

  /// The version, from `fluid_version_str`; nil if the library is missing.
  static var libraryVersion: String? {
    guard let table = unsafe cfluidsynth_table() else { return nil }
    return unsafe table.pointee.fluid_version_str().map { unsafe String(cString: $0) }
  }

  /// The default soundfont with which FluidSynth was built; nil if it is unknown.
  static var defaultFont: String? {
    guard let table = unsafe cfluidsynth_table(),
      let settings = unsafe table.pointee.new_fluid_settings()
    else { return nil }
    defer { unsafe table.pointee.delete_fluid_settings(settings) }
    var path: UnsafeMutablePointer<CChar>?
    guard
      unsafe table.pointee.fluid_settings_getstr_default(
        settings, "synth.default-soundfont", &path) == 0, let path = unsafe path
    else { return nil }
    let text = unsafe FileName.text(cString: path)
    return text.isEmpty ? nil : text
  }

  /// Keeps the samples of a channel's current preset in memory: `fluid_synth_pin_preset`.
  func pinPreset(of channel: Channel) {
    guard
      let preset = unsafe table.pointee.fluid_synth_get_channel_preset(synth, Int32(channel.index)),
      let font = unsafe table.pointee.fluid_preset_get_sfont(preset)
    else { return }
    // This fails only if the samples cannot be read; the notes would then be silent without pinning
    // too.
    _ = unsafe table.pointee.fluid_synth_pin_preset(
      synth, table.pointee.fluid_sfont_get_id(font),
      table.pointee.fluid_preset_get_banknum(preset), table.pointee.fluid_preset_get_num(preset))
  }
}

extension SynthHandle {
  /// Applies a channel message; returns false if FluidSynth refused it, such as a note without a
  /// free voice.
  ///
  /// Acceptable on the render thread: it neither locks nor allocates if the preset of a program
  /// change is pinned.
  @_noAllocation @_noLocks
  @discardableResult
  func apply(_ message: Message) -> Bool {
    let channel = Int32(message.status & 0x0F)
    let first = Int32(message.data1 & 0x7F)
    let second = Int32(message.data2 & 0x7F)
    let code =
      switch message.status & 0xF0 {
      case 0x80: unsafe cfluidsynth_noteoff(table, synth, channel, first)
      case 0x90 where second == 0: unsafe cfluidsynth_noteoff(table, synth, channel, first)
      case 0x90: unsafe cfluidsynth_noteon(table, synth, channel, first, second)
      case 0xA0: unsafe cfluidsynth_key_pressure(table, synth, channel, first, second)
      case 0xB0: control(channel, first, second)
      case 0xC0: unsafe cfluidsynth_program_change(table, synth, channel, first)
      case 0xD0: unsafe cfluidsynth_channel_pressure(table, synth, channel, first)
      case 0xE0: unsafe cfluidsynth_pitch_bend(table, synth, channel, first | second << 7)
      default: Int32(0)
      }
    if message.status & 0xF0 == 0xC0 || message.status & 0xF0 == 0xB0 && first == 121 {
      level(channel)
    }
    return code == 0
  }

  /// Attenuates the sounds of a channel by the gain of its font.
  ///
  /// Acceptable on the render thread: it neither locks nor allocates.
  @_noAllocation @_noLocks
  func level(_ channel: Int32) {
    guard let levels = unsafe levels else { return }
    unsafe cfluidsynth_level(table, synth, channel, levels, levelCount)
  }

  /// Attenuates the sounds of all channels by the gains of their fonts.
  ///
  /// Acceptable on the render thread: it neither locks nor allocates.
  @_noAllocation @_noLocks
  func levelAllChannels() {
    guard unsafe levels != nil else { return }
    for channel in 0..<Int32(16) { level(channel) }
  }

  /// Adds whole quanta to the buffers: `fluid_synth_process`.
  ///
  /// Acceptable on the render thread: it does not lock, and without effects does not allocate.
  @_noAllocation @_noLocks
  func process(
    frameCount: Int32, wetCount: Int32, wet: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>,
    dryCount: Int32, dry: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  ) {
    _ = unsafe cfluidsynth_process(table, synth, frameCount, wetCount, wet, dryCount, dry)
  }

  /// The number of sounding voices: `fluid_synth_get_active_voice_count`.
  ///
  /// Acceptable on the render thread: it reads one number.
  @_noAllocation @_noLocks
  func activeVoiceCount() -> Int {
    unsafe Int(cfluidsynth_active_voice_count(table, synth))
  }

  /// Ends all sounds immediately, and resets programs and controllers.
  ///
  /// Acceptable on the render thread: it neither locks nor allocates.
  @_noAllocation @_noLocks
  func silence() {
    unsafe cfluidsynth_silence(table, synth)
    unsafe selections.update(repeating: GeneratorSelection(), count: 16)
    levelAllChannels()
  }
}
