// SPDX-License-Identifier: Apache-2.0
internal import CSoundFontVoices
internal import Glibc
package import MIDIMessages

/// A MIDI synthesiser with sixteen channels that plays the voices of soundfonts.
///
/// It follows SoundFont 2.04. Envelopes, oscillators and filters are updated once per quantum of 64
/// frames, and cutoffs in whole cents, as in FluidSynth.
///
/// - Note: One thread at a time; real-time safe except for creation and destruction.
@safe
package struct VoiceSynth: ~Copyable {
  /// The configuration of a synthesiser.
  package struct Configuration: Sendable {
    package var hertz: Int
    package var polyphony: Int
    /// The number of stereo buses of dry sound: 1, or 16 for one per channel.
    package var busCount: Int
    package var gain: Float
    /// True to render the inputs of reverb and chorus.
    package var hasSends: Bool
    /// The interpolation of samples.
    package var quality: VoiceQuality

    package init(
      hertz: Int, polyphony: Int, busCount: Int, gain: Float, hasSends: Bool,
      quality: VoiceQuality = .usual
    ) {
      (self.hertz, self.polyphony, self.busCount) = (hertz, polyphony, busCount)
      (self.gain, self.hasSends, self.quality) = (gain, hasSends, quality)
    }
  }

  // Keep an unshared pointer first: for the thread sanitizer, the compiler of Swift 6.3 reports the
  // first field as an address that is written. Synthesisers share their bank.
  let channels: UnsafeMutablePointer<SynthChannel>
  /// The parameters of the sixteen parts, and of the drum notes of each map (128 for each map).
  let parts: UnsafeMutablePointer<PartState>
  /// The destination of each channel's sound.
  let routes: UnsafeMutablePointer<VoiceRoute>
  let noteEdits: UnsafeMutablePointer<NoteEdit>
  /// A bit for each map whose drum notes are edited.
  var editedMaps: UInt8 = 0
  /// A bit for each map with a drum note's delay send below that of the part.
  var delayedMaps: UInt8 = 0
  var randomState = VoiceSynth.randomSeed
  /// Retained here, because the render thread does not count references.
  let bank: Unmanaged<PatchBank>
  let samples: UnsafePointer<Int16>
  let lowBytes: UnsafePointer<UInt8>?
  let rate: Double
  let busCount: Int
  let hasSends: Bool
  /// The minimum duration of a released note, in frames.
  let leastAge: UInt32
  let tables: UnsafeMutablePointer<CVoiceTables>
  let kernels: UnsafePointer<CVoiceKernels>?
  var table: VoiceTable
  var gain: Float
  /// The number of the next note, and that of the current one.
  var nextNote: UInt32 = 0
  var note: UInt32 = 0
  /// The number of rendered frames, which wraps around.
  var time: UInt32 = 0
  /// The key from which new notes slide; `HeldKeys.none` without a slide.
  var slideKey = HeldKeys.none
  /// True if a voice replaced another since the last quantum.
  var hasTaken = false
  /// The regions whose voices continue on the new key.
  var bound: BoundRegions
  /// The recorded notes of patches, 256 words for each patch (`NoteSet`); nil if notes are played.
  var strikes: UnsafeMutablePointer<UInt64>?

  /// Creates a synthesiser without sounding voices.
  package init(_ bank: PatchBank, _ configuration: Configuration) {
    unsafe self.bank = .passRetained(bank)
    unsafe (samples, lowBytes) = (bank.samples, bank.lowBytes)
    rate = Double(configuration.hertz)
    busCount = max(1, configuration.busCount)
    hasSends = configuration.hasSends
    leastAge = UInt32(10 * Float(configuration.hertz) / 1000)
    unsafe tables = .allocate(capacity: 1)
    unsafe cvoices_fill_tables(tables, rate)
    unsafe kernels = configuration.quality.kernels
    unsafe channels = .allocate(capacity: 16)
    unsafe parts = .allocate(capacity: 16)
    unsafe routes = .allocate(capacity: 16)
    unsafe noteEdits = .allocate(capacity: NoteEdit.mapCount * 128)
    unsafe noteEdits.initialize(repeating: NoteEdit(), count: NoteEdit.mapCount * 128)
    for number in 0..<16 {
      unsafe (parts + number).initialize(to: PartState(channel: number))
      unsafe (routes + number).initialize(to: VoiceRoute(bus: number % busCount))
      unsafe (channels + number).initialize(to: SynthChannel(number))
      unsafe channels[number].patch = Int32(
        truncatingIfNeeded: bank.patch(bank: Int(channels[number].bank), program: 0))
    }
    table = VoiceTable(capacity: min(65_535, max(1, configuration.polyphony)))
    bound = BoundRegions(bank)
    gain = min(10, max(0, configuration.gain))
  }

  deinit {
    unsafe bank.release()
    unsafe tables.deallocate()
    unsafe channels.deallocate()
    unsafe parts.deallocate()
    unsafe routes.deallocate()
    unsafe noteEdits.deallocate()
    unsafe free(strikes)
  }

  // MARK: Messages

  /// Applies a channel message.
  ///
  /// A note starts at a frame of the next quantum, 0…63.
  ///
  /// Returns false for a note that cannot be played, because all voices are in use or its channel
  /// does not have a preset. Other messages, bank select and program change are ignored: `choose`
  /// sets the preset of a channel. Everything except note-ons takes effect at the start of the
  /// quantum.
  @_noAllocation @_noLocks
  package mutating func apply(_ message: Message, at frame: Int) -> Bool {
    let number = Int(message.status & 0x0F)
    guard message.status >= 0x80, message.status < 0xF0 else { return true }
    let first = message.data1 & 0x7F
    let second = message.data2 & 0x7F
    switch message.status & 0xF0 {
    case 0x80: release(first, number)
    case 0x90:
      if second > 0 { return strike(first, second, number, at: min(63, max(0, frame))) }
      release(first, number)
    case 0xA0:
      unsafe channels[number].keyPressures[Int(first)] = second
      modulate(number, key: first, SourceIndex.keyPressure)
      refresh(number, ControlSource.keyPressure)
    case 0xB0: receive(first, second, number)
    case 0xC0: break
    case 0xD0:
      unsafe channels[number].pressure = first
      modulate(number, SourceIndex.pressure)
      refresh(number, ControlSource.pressure)
    default:
      unsafe channels[number].bend = UInt16(first) | UInt16(second) << 7
      modulate(number, SourceIndex.bend)
      refresh(number, ControlSource.bend)
    }
    return true
  }

  /// Resets programs, controllers and bends, and releases all voices.
  @_noAllocation @_noLocks
  package mutating func reset() {
    for place in 0..<table.bound where unsafe !table.marks[place].isFree {
      unsafe cvoices_finish(table.controls + place)
    }
    forgetParts()
    for number in 0..<16 {
      unsafe channels[number] = SynthChannel(number)
      unsafe channels[number].patch = patch(bank: Int(channels[number].bank), program: 0)
    }
    for number in 0..<16 { releaseAll(number) }
  }

  /// Resets everything, and ends all voices in the next quantum.
  @_noAllocation @_noLocks
  package mutating func silence() {
    reset()
    for place in 0..<table.bound where unsafe !table.marks[place].isFree {
      unsafe cvoices_finish(table.controls + place)
    }
  }

  /// Sets the gain of all voices, including sounding ones; 0…10.
  @_noAllocation @_noLocks
  package mutating func setGain(_ gain: Float) {
    self.gain = min(10, max(0, gain))
    for place in 0..<table.bound where unsafe !table.marks[place].isFree {
      setFloor(place)
      setGains(place)
    }
  }

  // MARK: Sound

  /// Adds whole quanta to the buffers: two for each dry bus, and the inputs of reverb and chorus.
  @_noAllocation @_noLocks
  package mutating func process(
    quantumCount: Int, dry: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>,
    reverb: UnsafeMutablePointer<Float>, chorus: UnsafeMutablePointer<Float>
  ) {
    if hasTaken {
      hasTaken = false
      for place in 0..<table.bound { unsafe table.marks[place].isTaken = false }
    }
    time &+= UInt32(truncatingIfNeeded: quantumCount &* 64)
    unsafe table.process(
      quantumCount: quantumCount, samples: samples, lowBytes: lowBytes, tables: tables,
      kernels: kernels, dry: dry, reverb: hasSends ? reverb : nil, chorus: hasSends ? chorus : nil)
  }

  /// The number of sounding voices.
  package var activeVoiceCount: Int {
    @_noAllocation @_noLocks
    get { table.count }
  }
}
