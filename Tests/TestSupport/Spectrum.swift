// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The spectrum of a signal: the amplitude of each sine in it.
public struct Spectrum {
  /// The amplitude at each multiple of `resolution`, from 0 to half the rate.
  public let amplitudes: [Double]
  /// The interval between amplitudes in hertz.
  public let resolution: Double

  /// Analyses the first samples, up to the largest available power of two, with a Blackman–Harris
  /// window, which leaks at −92 dB.
  public init(_ samples: [Float], hertz: Double) {
    var count = 1
    while 2 * count <= samples.count { count *= 2 }
    var real = [Double](repeating: 0, count: count)
    var imaginary = real
    var weight = 0.0
    for index in 0..<count {
      let window = Self.window(Double(index) / Double(count))
      real[index] = Double(samples[index]) * window
      weight += window
    }
    Self.transform(&real, &imaginary)
    amplitudes = (0...count / 2).map { bin in
      2 * hypot(real[bin], imaginary[bin]) / weight
    }
    resolution = hertz / Double(count)
  }

  /// The root mean square in a range of frequencies.
  public func rms(in range: Range<Double>) -> Double {
    var sum = 0.0
    for (bin, amplitude) in amplitudes.enumerated()
    where range.contains(Double(bin) * resolution) {
      sum += amplitude * amplitude / 2
    }
    // The window spreads each sine over its equivalent noise bandwidth, in bins.
    return (sum / 2.0044).squareRoot()
  }

  /// The highest amplitude in a range of frequencies.
  public func peak(in range: Range<Double>) -> Double {
    amplitudes.indices.filter { range.contains(Double($0) * resolution) }.map { amplitudes[$0] }
      .max() ?? 0
  }

  private static func window(_ part: Double) -> Double {
    let turn = 2 * Double.pi * part
    return 0.35875 - 0.48829 * cos(turn) + 0.14128 * cos(2 * turn) - 0.01168 * cos(3 * turn)
  }

  /// The fast Fourier transform, in place.
  private static func transform(_ real: inout [Double], _ imaginary: inout [Double]) {
    let count = real.count
    var reversed = 0
    for index in 1..<max(count, 1) {
      var bit = count / 2
      while reversed & bit != 0 {
        reversed ^= bit
        bit /= 2
      }
      reversed |= bit
      if index < reversed { real.swapAt(index, reversed) }
    }
    var half = 1
    while half < count {
      let turns = (0..<half).map { -Double.pi * Double($0) / Double(half) }
      let cosines = turns.map { cos($0) }
      let sines = turns.map { sin($0) }
      for start in stride(from: 0, to: count, by: 2 * half) {
        for place in 0..<half {
          let first = start + place
          let second = first + half
          let realTurned = real[second] * cosines[place] - imaginary[second] * sines[place]
          let imaginaryTurned = real[second] * sines[place] + imaginary[second] * cosines[place]
          real[second] = real[first] - realTurned
          imaginary[second] = imaginary[first] - imaginaryTurned
          real[first] += realTurned
          imaginary[first] += imaginaryTurned
        }
      }
      half *= 2
    }
  }
}

/// A sine in a signal, found by correlation.
public struct Tone {
  /// The amplitude of the sine.
  public let amplitude: Double
  /// The phase at the first sample, in radians.
  public let phase: Double

  /// Fits a sine to samples that contain a whole number of its cycles, or many.
  public init(_ samples: some Collection<Float>, hertz: Double, rate: Double) {
    var cosine = 0.0
    var sine = 0.0
    for (index, sample) in samples.enumerated() {
      let angle = 2 * Double.pi * hertz * Double(index) / rate
      cosine += Double(sample) * cos(angle)
      sine += Double(sample) * sin(angle)
    }
    let scale = 2 / Double(samples.count)
    amplitude = scale * hypot(cosine, sine)
    phase = atan2(cosine, sine)
  }
}

/// A factor in decibels.
public func decibels(_ factor: Double) -> Double { 20 * log10(factor) }
