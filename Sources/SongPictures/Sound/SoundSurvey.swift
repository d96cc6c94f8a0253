// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The data of a sound for drawing, of a size that does not depend on the sound's length.
package struct SoundSurvey: Sendable {
  /// The rows of the spectrum, and its lowest and highest frequencies in Hz.
  static let bandCount = 72
  static let lowest = 30.0
  static let highest = 18000.0
  /// The columns that share a cell of the spectrum, so that cells are square.
  static let cell = 2
  /// The lowest level that is drawn, in dB relative to a full-scale sine, and the level of the last
  /// colour.
  private static let floor = -74.0
  private static let ceiling = -14.0

  /// A column of the picture.
  package struct Column: Sendable {
    package fileprivate(set) var lowest = 0.0
    package fileprivate(set) var highest = 0.0
    fileprivate var squares = 0.0
    fileprivate var sampleCount = 0
    /// The highest power in each band.
    fileprivate var powers = [Float](repeating: 0, count: SoundSurvey.bandCount)

    package var rms: Double {
      sampleCount > 0 ? (squares / Double(sampleCount)).squareRoot() : 0
    }
  }

  package private(set) var columns: [Column]
  /// The loudness over time, in LUFS.
  package private(set) var loudness: [(seconds: Double, momentary: Double, shortTerm: Double)] = []
  /// The integrated loudness, in LUFS; nil if not known.
  package var integrated: Double?
  private let channelCount: Int
  private let framesPerColumn: Double
  private let spacing: Double
  private var frame = 0
  private var analyzer: BandAnalyzer

  /// Creates an empty survey.
  ///
  /// - Parameters:
  ///   - frameCount: The length of the sound in frames. Later frames are added to the last column.
  ///   - hertz: The sample rate.
  ///   - channelCount: The number of channels.
  ///   - columnCount: The width of the picture's time axis, in pixels.
  package init(frameCount: Int, hertz: Double, channelCount: Int, columnCount: Int) {
    let count = max(min(columnCount, frameCount), 1)
    columns = Array(repeating: Column(), count: count)
    self.channelCount = channelCount
    framesPerColumn = max(Double(frameCount) / Double(count), 1)
    spacing = framesPerColumn / hertz
    analyzer = BandAnalyzer(
      hertz: hertz, framesPerColumn: framesPerColumn, bandCount: Self.bandCount,
      range: Self.lowest...Self.highest)
  }

  /// The highest absolute value of all samples, as a factor of full scale.
  package var peak: Double { columns.reduce(0) { max($0, $1.highest, -$1.lowest) } }

  /// Adds interleaved samples.
  ///
  /// - Complexity: O(n). For a long sound, the spectrum is measured four times for each column.
  package mutating func hear(_ samples: Span<Float>) {
    for first in stride(from: 0, to: samples.count - channelCount + 1, by: channelCount) {
      let column = min(Int(Double(frame) / framesPerColumn), columns.count - 1)
      var sum: Float = 0
      for sample in first..<first + channelCount {
        let value = samples[sample].isFinite ? samples[sample] : 0
        sum += value
        columns[column].add(Double(value))
      }
      frame += 1
      analyzer.hear(sum / Float(channelCount)) { place, powers in
        columns[min(Int(Double(place) / framesPerColumn), columns.count - 1)].add(powers)
      }
    }
  }

  /// Ends the survey.
  package mutating func finish() {
    analyzer.finish { place, powers in
      columns[min(Int(Double(place) / framesPerColumn), columns.count - 1)].add(powers)
    }
  }

  /// Adds the values of a loudness meter.
  ///
  /// Values that are not finite count as silence.
  package mutating func take(momentary: Double, shortTerm: Double, atSeconds seconds: Double) {
    if let last = loudness.last, seconds - last.seconds < spacing / 2 { return }
    loudness.append(
      (
        seconds, momentary.isFinite ? momentary : -200,
        shortTerm.isFinite ? shortTerm : -200
      ))
  }

  /// Scales all values by a gain, as if the sound had been scaled.
  package mutating func scale(by gain: Double) {
    guard gain > 0, gain.isFinite else { return }
    let units = 20 * log10(gain)
    for index in columns.indices { columns[index].scale(by: gain) }
    loudness = loudness.map { ($0.seconds, $0.momentary + units, $0.shortTerm + units) }
    integrated = integrated.map { $0 + units }
  }

  /// The level of a band in the cell that begins at a column, 0..<`Ink.heatCount`; nil for silence.
  func level(column: Int, band: Int) -> Int? {
    let cell = columns[column..<min(column + Self.cell, columns.count)]
    let sum: Float = cell.reduce(0) { $0 + $1.powers[band] }
    let power = Double(sum / Float(cell.count))
    guard power > 0 else { return nil }
    let part = (10 * log10(power) - Self.floor) / (Self.ceiling - Self.floor)
    guard part >= 0 else { return nil }
    return min(Int(part * Double(Ink.heatCount)), Ink.heatCount - 1)
  }
}

extension SoundSurvey.Column {
  fileprivate mutating func add(_ sample: Double) {
    (lowest, highest) = (min(lowest, sample), max(highest, sample))
    squares += sample * sample
    sampleCount += 1
  }

  fileprivate mutating func add(_ spectrum: [Float]) {
    for band in powers.indices { powers[band] = max(powers[band], spectrum[band]) }
  }

  fileprivate mutating func scale(by gain: Double) {
    (lowest, highest) = (lowest * gain, highest * gain)
    squares *= gain * gain
    for band in powers.indices { powers[band] *= Float(gain * gain) }
  }
}
