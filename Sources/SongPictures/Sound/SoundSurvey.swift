// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// What of a sound is drawn, gathered while it is heard: as much for an hour as for a second.
package struct SoundSurvey: Sendable {
  /// The rows of the spectrum, and the frequencies of the lowest and the highest in Hz.
  static let bandCount = 72
  static let lowest = 30.0
  static let highest = 18000.0
  /// The columns that are one in the spectrum: its cells are as wide as they are high.
  static let cell = 2
  /// Below this level, in dB of a sine of full scale, nothing is drawn; to the loudest that is.
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
  /// Loudness now and then, in LUFS.
  package private(set) var loudness: [(seconds: Double, momentary: Double, shortTerm: Double)] = []
  /// The loudness of all, in LUFS; nil where that is not known.
  package var integrated: Double?
  private let channelCount: Int
  private let framesPerColumn: Double
  private let spacing: Double
  private var frame = 0
  private var analyzer: BandAnalyzer

  /// Begins a survey.
  ///
  /// - Parameters:
  ///   - frameCount: how long the sound will be; what is longer is not drawn.
  ///   - hertz: frames a second.
  ///   - channelCount: samples in a frame.
  ///   - columnCount: the pixels of the picture's width.
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

  /// The highest sample of all, as a factor of full scale.
  package var peak: Double { columns.reduce(0) { max($0, $1.highest, -$1.lowest) } }

  /// Hears interleaved samples.
  ///
  /// - Complexity: O(n); of a long sound the spectrum is taken four times for each column.
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

  /// Takes what a meter says of the last moments; values that are none count as silence.
  package mutating func take(momentary: Double, shortTerm: Double, atSeconds seconds: Double) {
    if let last = loudness.last, seconds - last.seconds < spacing / 2 { return }
    loudness.append(
      (
        seconds, momentary.isFinite ? momentary : -200,
        shortTerm.isFinite ? shortTerm : -200
      ))
  }

  /// Makes everything louder or softer by a factor, as if the sound had been.
  package mutating func scale(by gain: Double) {
    guard gain > 0, gain.isFinite else { return }
    let units = 20 * log10(gain)
    for index in columns.indices { columns[index].scale(by: gain) }
    loudness = loudness.map { ($0.seconds, $0.momentary + units, $0.shortTerm + units) }
    integrated = integrated.map { $0 + units }
  }

  /// How strong a band is in the cell that begins with a column, 0..<`Ink.heatCount`; nil where there is nothing to see.
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
