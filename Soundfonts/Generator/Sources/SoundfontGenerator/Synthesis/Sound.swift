// SPDX-License-Identifier: Apache-2.0

/// One wave under construction, with its loop.
///
/// Everything that sounds in the loop repeats exactly in `loopLength` frames: partials are tuned to a
/// multiple of one over the loop's length and their envelopes stand still from the loop's start on.
/// So a loop cannot click.
struct Sound {
  /// The frames per second the wave is computed at.
  let rate: Double
  /// The fundamental of the wave, in hertz, at that rate.
  let fundamental: Double
  /// The fundamental that was asked for; the stored sample rate makes up for the difference.
  var wanted: Double
  let loopStart: Int
  /// The frames of the loop; 0 for a sound that is played once.
  let loopLength: Int
  var wave: [Double]

  static let block = 32

  /// A sound that sustains.
  ///
  /// It has `lead` seconds, then a loop of a whole number of periods, about `loop` seconds long; `cycle`
  /// is the number of periods after which the spectrum repeats.
  init(looping wanted: Double, rate: Double, lead: Double, loop: Double, cycle: Double = 1) {
    let periods = max(1, (wanted * loop / cycle).rounded()) * cycle
    loopLength = Int((periods * rate / wanted).rounded())
    fundamental = periods * rate / Double(loopLength)
    loopStart = Int((lead * rate / Double(Self.block)).rounded()) * Self.block
    wave = [Double](repeating: 0, count: loopStart + loopLength)
    (self.rate, self.wanted) = (rate, wanted)
  }

  /// A sound that is played once.
  init(once seconds: Double, rate: Double, fundamental: Double = 261.6255653005986) {
    (self.rate, self.fundamental, wanted) = (rate, fundamental, fundamental)
    (loopStart, loopLength) = (0, 0)
    wave = [Double](repeating: 0, count: Int((seconds * rate).rounded()))
  }

  /// The same sound with `factor` times as many frames.
  init(_ sound: Sound, oversampled factor: Int, wave: [Double]) {
    (rate, fundamental, wanted) = (
      sound.rate * Double(factor), sound.fundamental, sound.wanted
    )
    (loopStart, loopLength) = (sound.loopStart * factor, sound.loopLength * factor)
    self.wave = wave
  }

  /// The sample rate to store, which puts the fundamental exactly where it was asked for.
  var storedRate: Int { Int((rate * wanted / fundamental).rounded()) }

  /// The nearest frequency that fits the loop.
  func fitting(_ frequency: Double) -> Double {
    guard loopLength > 0 else { return frequency }
    let grid = rate / Double(loopLength)
    return max(1, (frequency / grid).rounded()) * grid
  }

  /// The time at which envelopes stand still.
  private var envelopeEnd: Double {
    loopLength > 0 ? Double(loopStart) / rate : Double(wave.count) / rate
  }

  /// Adds a sine; the envelope takes seconds.
  ///
  /// Nothing above 0.46 of the rate is added.
  mutating func add(_ frequency: Double, phase: Double, envelope: (Double) -> Double) {
    let frequency = fitting(frequency)
    guard frequency < 0.46 * rate else { return }
    let turns = frequency / rate
    let (stepCosine, stepSine) = (
      PortableMath.cosine(turns: turns), PortableMath.sine(turns: turns)
    )
    var (x, y) = (PortableMath.cosine(turns: phase), PortableMath.sine(turns: phase))
    var amplitude = envelope(0)
    var start = 0
    let end = envelopeEnd
    while start < wave.count {
      let stop = min(start + Self.block, wave.count)
      let next = envelope(min(Double(start + Self.block) / rate, end))
      let slope = (next - amplitude) / Double(Self.block)
      for index in start..<stop {
        wave[index] += amplitude * y
        (x, y) = (x * stepCosine - y * stepSine, x * stepSine + y * stepCosine)
        amplitude += slope
      }
      amplitude = next
      start = stop
    }
  }

  /// Adds noise that has died away before the loop, through filters.
  mutating func addBurst(
    _ random: inout RandomSource, filters: [Biquad], envelope: (Double) -> Double
  ) {
    let count = loopLength > 0 ? loopStart : wave.count
    var filters = filters
    for index in 0..<count {
      var value = random.bipolar()
      for f in filters.indices { value = filters[f].process(value) }
      wave[index] += value * envelope(Double(index) / rate)
    }
  }

  /// Adds noise that goes on in the loop; its period is the loop's, as must be that of what it
  /// follows.
  mutating func addBreath(
    _ random: inout RandomSource, filters: [Biquad], follow: (Double) -> Double = { _ in 1 },
    envelope: (Double) -> Double
  ) {
    guard loopLength > 0 else { return addBurst(&random, filters: filters, envelope: envelope) }
    var noise = [Double](repeating: 0, count: loopLength)
    for index in noise.indices { noise[index] = random.bipolar() }
    for filter in filters { filter.applyCircularly(to: &noise) }
    let end = envelopeEnd
    let offset = loopLength - loopStart % loopLength
    for index in wave.indices {
      let value = noise[(index + offset) % loopLength]
      let time = Double(index) / rate
      wave[index] += value * follow(time) * envelope(min(time, end))
    }
  }

  /// Applies a filter; the loop is filtered as the periodic wave it is.
  mutating func filter(_ filter: Biquad) {
    guard loopLength > 0 else { return filter.apply(to: &wave) }
    var loop = Array(wave[loopStart...])
    filter.applyCircularly(to: &loop)
    filter.apply(to: &wave)
    // The running filter has nearly settled at the loop; blend into the settled one before it.
    let blend = min(loopStart, loopLength, 512)
    for index in 0..<blend {
      let weight = Double(index) / Double(blend)
      let at = loopStart - blend + index
      wave[at] += (loop[loopLength - blend + index] - wave[at]) * weight
    }
    wave.replaceSubrange(loopStart..., with: loop)
  }

  /// Shapes every frame by a function without memory.
  mutating func shape(_ transfer: (Double) -> Double) {
    for index in wave.indices { wave[index] = transfer(wave[index]) }
  }

  /// Fades the last part of a sound that is played once.
  mutating func fadeOut(_ seconds: Double) {
    let count = min(wave.count, Int(seconds * rate))
    for index in 0..<count {
      let weight = Double(count - index) / Double(count)
      wave[wave.count - count + index] *= weight * weight
    }
  }

  /// The wave as it sounds, its loop unrolled, for `seconds`.
  func unrolled(_ seconds: Double) -> [Double] {
    let count = Int(seconds * rate)
    guard loopLength > 0 else { return Array(wave.prefix(count)) }
    return (0..<count).map { index in
      index < wave.count ? wave[index] : wave[loopStart + (index - loopStart) % loopLength]
    }
  }
}
