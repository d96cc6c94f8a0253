// SPDX-License-Identifier: Apache-2.0

/// Units with the parameters that effects of GS and XG share.
extension EffectPlan {
  /// Adds an enhancer with a sensitivity and mix of 0…127.
  @_noAllocation @_noLocks
  mutating func setEnhancer(_ sensitivity: Int, _ mix: Int) {
    add(.enhancer)
    set(.enhancer, 0, 2500)
    set(.enhancer, 1, EffectValue.part(sensitivity) * 30)
    set(.enhancer, 2, EffectValue.part(mix))
  }

  /// Adds an overdrive or distortion with a drive of 0…1, up to 40 or 54 dB.
  @_noAllocation @_noLocks
  mutating func setDrive(_ isDistortion: Bool, _ drive: Float, tone: Float, mix: Float = 1) {
    let unit: ModuleUnit = isDistortion ? .distortion : .overdrive
    add(unit)
    set(unit, 0, isDistortion ? 12 + drive * 42 : 4 + drive * 36)
    set(unit, 1, tone)
    // The driven sound is near full scale; a voice has about a fifth of that.
    set(unit, 2, -12)
    set(unit, 3, mix)
  }

  /// Adds a compressor with attack and sustain of 0…127, and a gain after it in steps of 6 dB.
  @_noAllocation @_noLocks
  mutating func setCompressor(attack: Int, sustain: Int, gain: Int) {
    add(.compressor)
    set(.compressor, 0, -12 - EffectValue.part(sustain) * 36)
    set(.compressor, 1, 4)
    set(.compressor, 2, 0.001 + EffectValue.part(attack) * 0.1)
    set(.compressor, 3, 0.3)
    set(.compressor, 5, Float(min(3, gain)) * 6)
  }

  /// Adds a chorus with a delay in seconds, a rate in hertz and a depth of 0…127.
  @_noAllocation @_noLocks
  mutating func setChorus(
    _ unit: ModuleUnit, _ delay: Float, _ hertz: Float, _ depth: Int, mix: Float
  ) {
    // The deepest chorus of GS moves by 20 ms in total, both sides together.
    let swing = EffectValue.part(depth) * 0.005
    add(unit)
    set(unit, 0, hertz)
    set(unit, 1, swing)
    set(unit, 2, delay + swing + 0.001)
    set(unit, 3, 0)
    set(unit, 4, 1)
    set(unit, 5, mix)
  }

  /// Adds a flanger with a delay in seconds, a rate in hertz, a depth and a feedback of 0…127.
  @_noAllocation @_noLocks
  mutating func setFlanger(
    _ delay: Float, _ hertz: Float, _ depth: Int, _ feedback: Int, mix: Float
  ) {
    let swing = EffectValue.part(depth) * 0.002
    add(.flanger)
    set(.flanger, 0, hertz)
    set(.flanger, 1, swing)
    set(.flanger, 2, delay + swing + 0.0002)
    set(.flanger, 3, EffectValue.feedback(feedback))
    set(.flanger, 4, 0.5)
    set(.flanger, 5, 0)
    set(.flanger, 6, mix)
  }

  /// Adds a stereo delay with two times in seconds and a GS feedback value.
  @_noAllocation @_noLocks
  mutating func setSides(
    _ left: Float, _ right: Float, _ feedback: Int, isCrossed: Bool, damping: Float, mix: Float
  ) {
    add(.crossDelay)
    set(.crossDelay, 0, left)
    set(.crossDelay, 1, right)
    set(.crossDelay, 2, EffectValue.feedback(feedback))
    set(.crossDelay, 3, isCrossed ? 1 : 0)
    set(.crossDelay, 4, damping)
    set(.crossDelay, 6, 0)
    set(.crossDelay, 7, 1)
    set(.crossDelay, 8, 1)
    set(.crossDelay, 9, mix)
  }

  /// Sets the shared parameters of a tap delay, with a GS feedback value.
  @_noAllocation @_noLocks
  mutating func setLine(_ feedback: Int, damping: Float, mix: Float) {
    set(.tapDelay, 12, EffectValue.feedback(feedback))
    set(.tapDelay, 13, damping)
    set(.tapDelay, 14, 20_000)
    set(.tapDelay, 15, mix)
  }

  /// Sets a voice of a pitch shifter, in semitones and steps of 2 cents, both with an offset of 64.
  @_noAllocation @_noLocks
  mutating func setVoice(_ voice: Int, coarse: Int, fine: Int, level: Float, pan: Int) {
    let semitones = Float(min(24, max(-24, coarse &- 64)))
    set(.pitchShift, voice &* 3, semitones + Float(min(50, max(-50, fine &- 64))) * 0.02)
    set(.pitchShift, voice &* 3 &+ 1, level)
    set(.pitchShift, voice &* 3 &+ 2, EffectValue.pan(pan))
  }
}
