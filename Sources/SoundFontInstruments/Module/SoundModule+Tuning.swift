// SPDX-License-Identifier: Apache-2.0

/// The tunings of the MIDI Tuning Standard and of scales.
extension SoundModule {
  /// Sets the scale tuning of channels.
  ///
  /// One byte is ±64 cents around 64; two bytes are ±100 cents around 8192, upper byte first.
  @_noAllocation @_noLocks
  func setScale(_ mask: UInt16, _ bytes: UnsafePointer<UInt8>, _ bytesEach: Int) {
    for pitch in 0..<12 {
      let cents: Float =
        bytesEach == 1
        ? unsafe Float(Int(bytes[pitch]) &- 64)
        : unsafe Float(
          (Int(bytes[2 &* pitch]) << 7 | Int(bytes[2 &* pitch &+ 1])) &- 8192) * 100 / 8192
      for channel in 0..<Self.channelCount where mask >> UInt16(channel) & 1 == 1 {
        unsafe channels[channel].scale[pitch] = cents
      }
    }
  }

  /// Sets the pitch of a key; the first byte is the key.
  @_noAllocation @_noLocks
  func setKey(_ program: Int, _ entry: UnsafePointer<UInt8>) {
    unsafe setKey(program, Int(entry[0] & 0x7F), entry + 1)
  }

  /// Sets the pitch of a key, as a semitone and a 14-bit fraction.
  ///
  /// All ones leave it unchanged.
  @_noAllocation @_noLocks
  func setKey(_ program: Int, _ key: Int, _ pitch: UnsafePointer<UInt8>) {
    let fraction = unsafe Int(pitch[1]) << 7 | Int(pitch[2])
    guard unsafe pitch[0] != 0x7F || fraction != 16383 else { return }
    let cents = unsafe Float(Int(pitch[0]) &- key) * 100 + Float(fraction) * 100 / 16384
    unsafe tunings[(program & 0x7F) &* Self.keyCount &+ key] = cents
  }

  /// Computes the tuning of all keys, and applies it to sounding voices.
  @_noAllocation @_noLocks
  func retune() {
    let count = unsafe synth.listVoices(voices, capacity: polyphony)
    for index in 0..<count {
      let voice = unsafe voices[index]
      let place = synth.place(of: voice)
      guard place.channel < Self.channelCount, place.key < Self.keyCount else { continue }
      let change =
        unsafe tuning(place.channel, place.key)
        - applied[place.channel &* Self.keyCount &+ place.key]
      if change != 0 { synth.tune(voice, byCents: change) }
    }
    for channel in 0..<Self.channelCount {
      for key in 0..<Self.keyCount {
        unsafe applied[channel &* Self.keyCount &+ key] = tuning(channel, key)
      }
    }
  }

  /// Computes the tuning of a key for new notes.
  @_noAllocation @_noLocks
  func retune(key: Int) {
    for channel in 0..<Self.channelCount {
      unsafe applied[channel &* Self.keyCount &+ key] = tuning(channel, key)
    }
  }

  /// The tuning of a key in cents; 0 for drums.
  ///
  /// FluidSynth's pitch table has one step per cent, and uses the step below a value. For
  /// FluidSynth the tuning is therefore rounded to the nearest cent, and 0.01 cent is added to
  /// avoid the step below.
  @_noAllocation @_noLocks
  private func tuning(_ channel: Int, _ key: Int) -> Float {
    guard unsafe !channels[channel].isDrums else { return 0 }
    let program = unsafe channels[channel].tuningProgram
    let cents =
      unsafe pitchOffset + masterTuning + Float(masterShift &* 100)
      + channels[channel].scale[key % 12] + tunings[program &* Self.keyCount &+ key]
    guard synth.tunesInWholeCents, cents != 0 else { return cents }
    return Float(Int(cents + (cents < 0 ? -0.5 : 0.5))) + 0.01
  }
}
