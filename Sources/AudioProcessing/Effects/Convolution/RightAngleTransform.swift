// SPDX-License-Identifier: Apache-2.0

/// A transform that convolves two blocks of n samples into 2n samples, with n complex numbers.
///
/// Sample k is rotated by k/n of a right angle, and the fast Fourier transform of the n complex
/// numbers is computed. After the inverse transform and the inverse rotation, the real part has the
/// first n samples of the convolution, and the imaginary part the next n. The transform therefore
/// does not need zero padding, and all bins are treated alike. The bins remain in the order of the
/// radix-4 stages. This order is the same for all spectra, so it does not matter.
///
/// A spectrum is n real parts followed by n imaginary parts.
///
/// - Note: Real-time safe except for creation and destruction.
/// Source: P. Duhamel, B. Piron, J. M. Etcheto, On Computing the Inverse DFT (1988), for the
/// stages; H. J. Nussbaumer, Fast Fourier Transform and Convolution Algorithms (1981), for the
/// right angle.
@safe
struct RightAngleTransform: BitwiseCopyable {
  typealias Four = SIMD4<Float>
  typealias Samples = UnsafeMutablePointer<Float>

  /// The samples of a block: a power of four, at least 64.
  let count: Int
  /// The cosines of the samples' angles, followed by the sines.
  private let turns: Samples
  /// For each stage n, from `count` down to 16: the first, second and third powers of the nth root
  /// of unity, n/4 of each, real and imaginary parts.
  private let roots: Samples

  /// Creates the tables for a block length.
  ///
  /// The owner calls `deallocate`.
  init(count: Int) {
    self.count = count
    unsafe turns = .allocate(capacity: 2 * count)
    // 6 × n/4 floats for each stage: less than 2 × count in total.
    unsafe roots = Self.allocate(2 * count)
    for place in 0..<count {
      let angle = Double.pi / 2 * Double(place) / Double(count)
      unsafe (turns + place).initialize(to: Float(SampleMath.cosine(angle)))
      unsafe (turns + count + place).initialize(to: Float(SampleMath.sine(angle)))
    }
    var stage = count
    var table = unsafe roots
    while stage >= 16 {
      unsafe Self.fill(table, stage)
      unsafe table += 6 * stage / 4
      stage /= 4
    }
  }

  func deallocate() {
    unsafe turns.deallocate()
    unsafe roots.deallocate()
  }

  /// Allocates zeroed memory, aligned to 64 bytes.
  ///
  /// The caller frees it.
  static func allocate(_ count: Int) -> Samples {
    let quantum = AudioFormat.quantum
    return unsafe SampleLoop.allocate(channelCount: (count + quantum - 1) / quantum)
  }

  private static func fill(_ table: Samples, _ stage: Int) {
    let quarter = stage / 4
    for power in 1...3 {
      for place in 0..<quarter {
        let angle = -2 * Double.pi * Double(power * place) / Double(stage)
        let real = unsafe table + (2 * power - 2) * quarter + place
        unsafe real.pointee = Float(SampleMath.cosine(angle))
        unsafe real[quarter] = Float(SampleMath.sine(angle))
      }
    }
  }
}

// Forward.
extension RightAngleTransform {
  /// Computes the spectrum of a block.
  ///
  /// - Complexity: O(n log n) in the samples of the block.
  @_noAllocation @_noLocks
  func transform(_ samples: UnsafePointer<Float>, into spectrum: Samples) {
    for place in 0..<count {
      unsafe spectrum[place] = samples[place] * turns[place]
      unsafe spectrum[count &+ place] = samples[place] * turns[count &+ place]
    }
    var stage = count
    var table = unsafe roots
    while stage >= 16 {
      var start = 0
      while start < count {
        unsafe split(spectrum + start, stage / 4, table)
        start &+= stage
      }
      unsafe table += 6 &* (stage / 4)
      stage /= 4
    }
    unsafe splitLast(spectrum)
  }

  /// One stage: sums and differences of the quarters of a section, rotated.
  @_noAllocation @_noLocks
  private func split(_ part: Samples, _ quarter: Int, _ table: UnsafePointer<Float>) {
    var place = 0
    while place < quarter {
      let real = unsafe part + place
      let imaginary = unsafe real + count
      let (a, b) = unsafe (Self.four(real), Self.four(real + quarter))
      let (c, d) = unsafe (Self.four(real + 2 &* quarter), Self.four(real + 3 &* quarter))
      let (e, f) = unsafe (Self.four(imaginary), Self.four(imaginary + quarter))
      let g = unsafe Self.four(imaginary + 2 &* quarter)
      let h = unsafe Self.four(imaginary + 3 &* quarter)
      unsafe Self.put((a + c) + (b + d), real)
      unsafe Self.put((e + g) + (f + h), imaginary)
      let turn = unsafe table + place
      unsafe put((a - c) + (f - h), (e - g) - (b - d), times: turn, real + quarter, quarter)
      unsafe put(
        (a + c) - (b + d), (e + g) - (f + h), times: turn + 2 &* quarter, real + 2 &* quarter,
        quarter)
      unsafe put(
        (a - c) - (f - h), (e - g) + (b - d), times: turn + 4 &* quarter, real + 3 &* quarter,
        quarter)
      place &+= 4
    }
  }

  /// Writes four complex numbers, rotated.
  @inline(__always) @_noAllocation @_noLocks
  private func put(
    _ x: Four, _ y: Four, times turn: UnsafePointer<Float>, _ real: Samples, _ quarter: Int
  ) {
    let (cosine, sine) = unsafe (Self.four(turn), Self.four(turn + quarter))
    unsafe Self.put(x * cosine - y * sine, real)
    unsafe Self.put(x * sine + y * cosine, real + count)
  }

  /// The last stage: sections of four numbers, without rotation.
  @_noAllocation @_noLocks
  private func splitLast(_ spectrum: Samples) {
    var start = 0
    while start < count {
      let real = unsafe Self.four(spectrum + start)
      let imaginary = unsafe Self.four(spectrum + (count &+ start))
      let (a, c) = (real.x + real.z, real.x - real.z)
      let (b, d) = (real.y + real.w, real.y - real.w)
      let (e, g) = (imaginary.x + imaginary.z, imaginary.x - imaginary.z)
      let (f, h) = (imaginary.y + imaginary.w, imaginary.y - imaginary.w)
      unsafe Self.put(Four(a + b, c + h, a - b, c - h), spectrum + start)
      unsafe Self.put(Four(e + f, g - d, e - f, g + d), spectrum + (count &+ start))
      start &+= 4
    }
  }

  @inline(__always) @_noAllocation @_noLocks
  private static func four(_ samples: UnsafePointer<Float>) -> Four {
    unsafe UnsafeRawPointer(samples).loadUnaligned(as: Four.self)
  }

  @inline(__always) @_noAllocation @_noLocks
  private static func put(_ four: Four, _ samples: Samples) {
    unsafe UnsafeMutableRawPointer(samples).assumingMemoryBound(to: Four.self).pointee = four
  }
}

// Inverse.
extension RightAngleTransform {
  /// Converts a spectrum to samples, in place: the first half of the convolution, followed by the
  /// second.
  ///
  /// The samples are `count` times too large.
  ///
  /// - Complexity: O(n log n) in the samples of the block.
  @_noAllocation @_noLocks
  func restore(_ spectrum: Samples) {
    unsafe joinFirst(spectrum)
    var stage = 16
    // The table of stage n begins after those of the larger stages, at 2 × (count − n).
    while stage <= count {
      let table = unsafe roots + 2 &* (count &- stage)
      var start = 0
      while start < count {
        unsafe join(spectrum + start, stage / 4, table)
        start &+= stage
      }
      stage &*= 4
    }
    for place in 0..<count {
      let (x, y) = unsafe (spectrum[place], spectrum[count &+ place])
      let (cosine, sine) = unsafe (turns[place], turns[count &+ place])
      unsafe spectrum[place] = x * cosine + y * sine
      unsafe spectrum[count &+ place] = y * cosine - x * sine
    }
  }

  @_noAllocation @_noLocks
  private func joinFirst(_ spectrum: Samples) {
    var start = 0
    while start < count {
      let real = unsafe Self.four(spectrum + start)
      let imaginary = unsafe Self.four(spectrum + (count &+ start))
      let (a, c) = (real.x + real.z, real.x - real.z)
      let (b, d) = (real.y + real.w, real.y - real.w)
      let (e, g) = (imaginary.x + imaginary.z, imaginary.x - imaginary.z)
      let (f, h) = (imaginary.y + imaginary.w, imaginary.y - imaginary.w)
      unsafe Self.put(Four(a + b, c - h, a - b, c + h), spectrum + start)
      unsafe Self.put(Four(e + f, g + d, e - f, g - d), spectrum + (count &+ start))
      start &+= 4
    }
  }

  /// One stage of the inverse: the quarters of a section, rotated back, become sums and
  /// differences.
  @_noAllocation @_noLocks
  private func join(_ part: Samples, _ quarter: Int, _ table: UnsafePointer<Float>) {
    var place = 0
    while place < quarter {
      let real = unsafe part + place
      let imaginary = unsafe real + count
      let turn = unsafe table + place
      let (a, e) = unsafe (Self.four(real), Self.four(imaginary))
      let (b, f) = unsafe turnedBack(real + quarter, turn, quarter)
      let (c, g) = unsafe turnedBack(real + 2 &* quarter, turn + 2 &* quarter, quarter)
      let (d, h) = unsafe turnedBack(real + 3 &* quarter, turn + 4 &* quarter, quarter)
      unsafe Self.put((a + c) + (b + d), real)
      unsafe Self.put((e + g) + (f + h), imaginary)
      unsafe Self.put((a - c) - (f - h), real + quarter)
      unsafe Self.put((e - g) + (b - d), imaginary + quarter)
      unsafe Self.put((a + c) - (b + d), real + 2 &* quarter)
      unsafe Self.put((e + g) - (f + h), imaginary + 2 &* quarter)
      unsafe Self.put((a - c) + (f - h), real + 3 &* quarter)
      unsafe Self.put((e - g) - (b - d), imaginary + 3 &* quarter)
      place &+= 4
    }
  }

  @inline(__always) @_noAllocation @_noLocks
  private func turnedBack(
    _ real: Samples, _ turn: UnsafePointer<Float>, _ quarter: Int
  ) -> (Four, Four) {
    let (x, y) = unsafe (Self.four(real), Self.four(real + count))
    let (cosine, sine) = unsafe (Self.four(turn), Self.four(turn + quarter))
    return (x * cosine + y * sine, y * cosine - x * sine)
  }

  /// Adds the product of two spectra to a third.
  @_noAllocation @_noLocks
  static func add(
    _ left: UnsafePointer<Float>, times right: UnsafePointer<Float>, to sum: Samples, count: Int
  ) {
    let (a, b) = unsafe (SampleLoop.lanes(left), SampleLoop.lanes(left + count))
    let (c, d) = unsafe (SampleLoop.lanes(right), SampleLoop.lanes(right + count))
    let (real, imaginary) = unsafe (SampleLoop.lanes(sum), SampleLoop.lanes(sum + count))
    for lane in 0..<count / 8 {
      let (x, y) = unsafe (a[lane], b[lane])
      let (u, v) = unsafe (c[lane], d[lane])
      unsafe real[lane] += x * u - y * v
      unsafe imaginary[lane] += x * v + y * u
    }
  }
}
