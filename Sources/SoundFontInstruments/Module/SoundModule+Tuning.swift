// SPDX-License-Identifier: Apache-2.0

/// The tunings of the MIDI Tuning Standard and of scales.
extension SoundModule {
  /// One byte is ±64 cents about 64; two are ±100 about 8192, the upper first.
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

  /// A key, and the pitch it is to have.
  @_noAllocation @_noLocks
  func setKey(_ program: Int, _ entry: UnsafePointer<UInt8>) {
    unsafe setKey(program, Int(entry[0] & 0x7F), entry + 1)
  }

  /// A pitch is a semitone and 14 bits of its fraction; all ones leave it as it is.
  @_noAllocation @_noLocks
  func setKey(_ program: Int, _ key: Int, _ pitch: UnsafePointer<UInt8>) {
    let fraction = unsafe Int(pitch[1]) << 7 | Int(pitch[2])
    guard unsafe pitch[0] != 0x7F || fraction != 16383 else { return }
    let cents = unsafe Float(Int(pitch[0]) &- key) * 100 + Float(fraction) * 100 / 16384
    unsafe tunings[(program & 0x7F) &* Self.keyCount &+ key] = cents
  }

  /// Works out every key's tuning, and moves the voices that sound to it.
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

  /// Works out the tuning of a key, for notes that are yet to be struck.
  @_noAllocation @_noLocks
  func retune(key: Int) {
    for channel in 0..<Self.channelCount {
      unsafe applied[channel &* Self.keyCount &+ key] = tuning(channel, key)
    }
  }

  /// A key's tuning in cents; drums have none.
  ///
  /// FluidSynth's table of pitches has a step for each cent and takes the one below. For it the
  /// tuning is rounded to the nearest cent, and a hundredth more keeps it from the step below.
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
