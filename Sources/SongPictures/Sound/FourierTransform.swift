// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The discrete Fourier transform of a power of two of complex numbers, in place.
struct FourierTransform {
  let count: Int
  private let cosines: [Double]
  private let sines: [Double]

  /// - Precondition: The count is a power of two.
  init(count: Int) {
    precondition(count > 0 && count & (count - 1) == 0, "the count must be a power of two")
    self.count = count
    let turns = (0..<count / 2).map { -2 * Double.pi * Double($0) / Double(count) }
    cosines = turns.map { cos($0) }
    sines = turns.map { sin($0) }
  }

  /// Transforms complex numbers, given as their real and imaginary parts.
  ///
  /// Decimation in time, radix 2: after Cooley and Tukey.
  ///
  /// - Complexity: O(n log n).
  func transform(_ real: inout [Double], _ imaginary: inout [Double]) {
    reverse(&real, &imaginary)
    var half = 1
    while half < count {
      let stride = count / (2 * half)
      for start in Swift.stride(from: 0, to: count, by: 2 * half) {
        for place in 0..<half {
          let (first, second) = (start + place, start + place + half)
          let (cosine, sine) = (cosines[place * stride], sines[place * stride])
          let turnedReal = real[second] * cosine - imaginary[second] * sine
          let turnedImaginary = real[second] * sine + imaginary[second] * cosine
          real[second] = real[first] - turnedReal
          imaginary[second] = imaginary[first] - turnedImaginary
          real[first] += turnedReal
          imaginary[first] += turnedImaginary
        }
      }
      half *= 2
    }
  }

  /// Moves each number to the index with the reversed binary digits.
  private func reverse(_ real: inout [Double], _ imaginary: inout [Double]) {
    var reversed = 0
    for index in 1..<max(count, 1) {
      var bit = count / 2
      while reversed & bit != 0 {
        reversed ^= bit
        bit /= 2
      }
      reversed |= bit
      if index < reversed {
        real.swapAt(index, reversed)
        imaginary.swapAt(index, reversed)
      }
    }
  }
}
