// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import Glibc
import MusicalTime

@testable import SoundFontInstruments

/// The system reverb and chorus alone: their output for a given signal.
enum SystemSoundRig {
  static let rate = 48_000

  /// A message of GS (40 01), XG (02 01) or GM2: its address or parameter, and its byte.
  struct Setting: Sendable {
    enum Family: Sendable { case gs, xg, gm2 }

    let family: Family
    let address: Int
    let value: Int

    static func gs(_ address: Int, _ value: Int) -> Setting {
      Setting(family: .gs, address: address, value: value)
    }

    static func xg(_ address: Int, _ value: Int) -> Setting {
      Setting(family: .xg, address: address, value: value)
    }

    /// A message for the reverb.
    static func gm2(_ parameter: Int, _ value: Int) -> Setting {
      Setting(family: .gm2, address: parameter, value: value)
    }
  }

  static func effects(_ settings: [Setting]) -> SystemEffects {
    var effects = SystemEffects()
    for setting in settings {
      let bytes = [UInt8(setting.address), UInt8(setting.value)]
      let isXG = setting.family == .xg
      let order: SynthOrder =
        setting.family == .gm2
        ? .globalReverb(offset: 0, count: 1)
        : .system(isXG: isXG, low: setting.address, offset: 1, count: 1)
      unsafe bytes.withUnsafeBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return }
        unsafe effects.take(order, base)
      }
    }
    return effects
  }

  /// Left and right of reverb and chorus while a signal is sent to both.
  ///
  /// `room` replaces the reverb settings of FluidSynth's reverb if it is not nil.
  static func heard(
    _ settings: [Setting], seconds: Double, room: ReverbProgram? = nil, _ signal: (Int) -> Float
  ) throws -> [[Float]] {
    let effects = effects(settings)
    let handle = UnsafeMutablePointer<EffectsHandle>.allocate(capacity: 1)
    unsafe handle.initialize(to: try EffectsHandle(hertz: rate))
    defer { unsafe handle.deinitialize(count: 1).deallocate() }
    unsafe handle.pointee.setReverb(room ?? effects.reverb.program)
    unsafe handle.pointee.setChorus(effects.chorus.program)
    var system = SystemSound(rate: .hertz48000)
    system.take(effects)
    let sends = UnsafeMutablePointer<Float>.allocate(capacity: 128)
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: 256)
    let wet = UnsafeMutablePointer<UnsafeMutablePointer<Float>?>.allocate(capacity: 4)
    defer {
      unsafe sends.deallocate()
      unsafe samples.deallocate()
      unsafe wet.deallocate()
    }
    for channel in 0..<4 { unsafe (wet + channel).initialize(to: samples + channel * 64) }
    var heard = [[Float]](repeating: [], count: 4)
    for quantum in 0..<Int(seconds * Double(rate)) / 64 {
      for frame in 0..<64 {
        let sample = signal(quantum * 64 + frame)
        unsafe (sends[frame], sends[64 + frame]) = (sample, sample)
      }
      unsafe samples.initialize(repeating: 0, count: 256)
      unsafe system.render(handle, toReverb: sends, toChorus: sends + 64, wet: wet, frame: 0)
      for place in 0..<256 { unsafe heard[place / 64].append(samples[place]) }
    }
    return heard
  }

  static func impulse(_ frame: Int) -> Float { frame == 0 ? 1 : 0 }

  /// The time in seconds in which an impulse decays by 60 dB, from the slope of the remaining
  /// energy between −5 and −25 dB.
  static func decay(_ samples: [Float]) -> Double {
    var left = 0.0
    let energies: [Double] = samples.reversed().map { sample in
      left += Double(sample) * Double(sample)
      return left
    }.reversed()
    let whole = energies.first ?? 0
    let from = energies.firstIndex { $0 < whole * pow(10, -0.5) } ?? 0
    let to = energies.firstIndex { $0 < whole * pow(10, -2.5) } ?? 0
    return Double(to - from) / Double(rate) * 3
  }

  /// The octave around a frequency, filtered twice with 6 dB per octave on either side.
  static func octave(_ hertz: Double, of samples: [Float]) -> [Float] {
    let angle = 2 * Double.pi * hertz / Double(rate)
    let width = sin(angle) / 2.828
    let whole = 1 + width
    var filtered = samples
    for _ in 0..<2 {
      var (before, twoBefore, made, twoMade) = (0.0, 0.0, 0.0, 0.0)
      filtered = filtered.map { sample in
        let input = Double(sample)
        let fed = width * (input - twoBefore) + 2 * cos(angle) * made - (1 - width) * twoMade
        (twoBefore, before, twoMade, made) = (before, input, made, fed / whole)
        return Float(made)
      }
    }
    return filtered
  }
}
