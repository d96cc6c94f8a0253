// SPDX-License-Identifier: Apache-2.0
internal import CSoundFontVoices
internal import Glibc
package import MIDIMessages

/// Sixteen channels of a MIDI synthesiser, and the voices of a SoundFont that their notes strike.
///
/// It sounds as SoundFont 2.04 says. Envelopes, oscillators and filters move once a quantum of 64
/// frames, cutoffs in whole cents, as in FluidSynth.
///
/// - Note: One thread at a time; real-time safe but for creation and destruction.
@safe
package struct VoiceSynth: ~Copyable {
  /// How it is set up.
  package struct Configuration: Sendable {
    package var hertz: Int
    package var polyphony: Int
    /// Stereo buses of dry sound: 1, or 16, one for each channel.
    package var busCount: Int
    package var gain: Float
    /// Whether what reverb and chorus hear is made.
    package var hasSends: Bool
    /// How samples are read.
    package var quality: VoiceQuality

    package init(
      hertz: Int, polyphony: Int, busCount: Int, gain: Float, hasSends: Bool,
      quality: VoiceQuality = .usual
    ) {
      (self.hertz, self.polyphony, self.busCount) = (hertz, polyphony, busCount)
      (self.gain, self.hasSends, self.quality) = (gain, hasSends, quality)
    }
  }

  // Keep a pointer of its own first: for the thread sanitizer, the compiler of Swift 6.3 reports the
  // first field as an address that is written. Synthesisers share their bank.
  let channels: UnsafeMutablePointer<SynthChannel>
  /// The parameters of the sixteen parts, and of the drum notes of each map, 128 by 128.
  let parts: UnsafeMutablePointer<PartState>
  /// Where the sound of each channel goes.
  let routes: UnsafeMutablePointer<VoiceRoute>
  let noteEdits: UnsafeMutablePointer<NoteEdit>
  /// A bit for each map whose drum notes differ from their initial state.
  var editedMaps: UInt8 = 0
  /// A bit for each map with a delay send of a drum note below that of the part.
  var delayedMaps: UInt8 = 0
  var randomState = VoiceSynth.randomSeed
  /// Retained here: on the render thread nothing counts.
  let bank: Unmanaged<PatchBank>
  let samples: UnsafePointer<Int16>
  let lowBytes: UnsafePointer<UInt8>?
  let rate: Double
  let busCount: Int
  let hasSends: Bool
  /// A note that is let go sounds for so many frames at least.
  let leastAge: UInt32
  let tables: UnsafeMutablePointer<CVoiceTables>
  let kernels: UnsafePointer<CVoiceKernels>?
  var table: VoiceTable
  var gain: Float
  /// The number of the note that comes next, and that of the one that is struck.
  var nextNote: UInt32 = 0
  var note: UInt32 = 0
  /// Frames that were made, as they wrap around.
  var time: UInt32 = 0
  /// The key that the notes being struck slide from; `HeldKeys.none` where they do not.
  var slideKey = HeldKeys.none
  /// Whether a voice took another's place since the last quantum.
  var hasTaken = false
  /// The regions whose voices go on to the note that is struck.
  var bound: BoundRegions
  /// The notes that patches were struck with, 256 words for each patch (`NoteSet`); nil unless they
  /// are recorded instead of played.
  var strikes: UnsafeMutablePointer<UInt64>?

  /// Creates a synthesiser with no voice sounding.
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

  /// Applies a channel message, a note at a frame of the quantum that comes next, 0…63; false for
  /// a note that is not played: no voice is free, or its channel has no preset.
  ///
  /// What is no channel message is left alone, and so are bank select and program change: `choose`
  /// gives a channel its preset. All but a note's beginning takes effect with the quantum.
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

  /// Forgets programs, controllers and bends, and lets every voice go.
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

  /// The same, and ends every voice in the quantum that comes next.
  @_noAllocation @_noLocks
  package mutating func silence() {
    reset()
    for place in 0..<table.bound where unsafe !table.marks[place].isFree {
      unsafe cvoices_finish(table.controls + place)
    }
  }

  /// The factor of all voices, also of those that sound; 0…10.
  @_noAllocation @_noLocks
  package mutating func setGain(_ gain: Float) {
    self.gain = min(10, max(0, gain))
    for place in 0..<table.bound where unsafe !table.marks[place].isFree {
      setFloor(place)
      setGains(place)
    }
  }

  // MARK: Sound

  /// Adds whole quanta to the buffers: two for each dry bus, and what reverb and chorus hear.
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

  /// The voices that sound.
  package var activeVoiceCount: Int {
    @_noAllocation @_noLocks
    get { table.count }
  }
}
