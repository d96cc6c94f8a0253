// SPDX-License-Identifier: Apache-2.0

/// The power of a wave at each of `size / 2` evenly spaced frequencies below half its rate.
struct Spectrum {
  private let size: Int
  let powers: [Double]

  /// The mean over overlapping windows, whole ones: a wave that is cut off has a spectrum of its own.
  ///
  /// `size` is a power of two.
  init(_ wave: [Double], size: Int = 4096) {
    self.size = size
    let window = (0..<size).map { index in
      0.5 - 0.5 * PortableMath.cosine(turns: Double(index) / Double(size))
    }
    var sums = [Double](repeating: 0, count: size / 2)
    var start = 0
    repeat {
      var real = (0..<size).map { index in
        start + index < wave.count ? wave[start + index] * window[index] : 0
      }
      var imaginary = [Double](repeating: 0, count: size)
      Self.transform(&real, &imaginary)
      for index in sums.indices {
        sums[index] += real[index] * real[index] + imaginary[index] * imaginary[index]
      }
      start += size / 2
    } while start + size <= wave.count
    // What lies beside 0 Hz is the window's own width.
    for index in 0..<3 { sums[index] = 0 }
    powers = sums
  }

  /// How far interpolation images lie below the sound, in decibels, where it is stored at `rate`,
  /// computed at `rate / factor`, and played `semitones` above its pitch at 48 kHz.
  ///
  /// The interpolator is the cubic one that FluidSynth uses: its response is Keys's. Images above
  /// 20 kHz are not heard.
  func images(rate: Double, factor: Int, semitones: Double) -> Double {
    let ratio = rate * PortableMath.exp2(semitones / 12) / 48000
    var (sound, images) = (1e-30, 1e-30)
    for (index, power) in powers.enumerated() where power > 0 {
      let f = Double(index) / Double(size * factor)
      if f * ratio < 0.4166 { sound += power * Self.response(f) }
      for order in 1...3 {
        for image in [Double(order) - f, Double(order) + f] {
          let place = image * ratio
          if abs(place - place.rounded()) < 0.4166 { images += power * Self.response(image) }
        }
      }
      if f * ratio > 0.5833 { images += power * Self.response(f) }
    }
    return PortableMath.decibels(gain: (images / sound).squareRoot())
  }

  /// The power response of cubic interpolation at a frequency in cycles a frame.
  ///
  /// Source: Keys, "Cubic convolution interpolation for digital image processing", 1981.
  private static func response(_ f: Double) -> Double {
    guard f > 1e-4 else { return 1 }
    let square = PortableMath.pi * f * PortableMath.pi * f
    let a = 3 / square * (sinc(f) * sinc(f) - sinc(2 * f))
    let b = 1 / square * (3 * sinc(2 * f) * sinc(2 * f) - 2 * sinc(2 * f) - sinc(4 * f))
    return (a - b) * (a - b)
  }

  private static func sinc(_ x: Double) -> Double {
    PortableMath.sine(turns: x / 2) / (PortableMath.pi * x)
  }

  /// The discrete Fourier transform in place; the length is a power of two.
  private static func transform(_ real: inout [Double], _ imaginary: inout [Double]) {
    let count = real.count
    var j = 0
    for i in 1..<count {
      var bit = count >> 1
      while j & bit != 0 {
        j ^= bit
        bit >>= 1
      }
      j |= bit
      if i < j {
        real.swapAt(i, j)
        imaginary.swapAt(i, j)
      }
    }
    var length = 2
    while length <= count {
      for k in 0..<length / 2 {
        let turns = -Double(k) / Double(length)
        let (c, s) = (PortableMath.cosine(turns: turns), PortableMath.sine(turns: turns))
        for start in stride(from: k, to: count, by: length) {
          let other = start + length / 2
          let x = real[other] * c - imaginary[other] * s
          let y = real[other] * s + imaginary[other] * c
          (real[other], imaginary[other]) = (real[start] - x, imaginary[start] - y)
          (real[start], imaginary[start]) = (real[start] + x, imaginary[start] + y)
        }
      }
      length *= 2
    }
  }
}
