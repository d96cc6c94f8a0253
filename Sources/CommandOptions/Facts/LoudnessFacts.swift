// SPDX-License-Identifier: Apache-2.0
package import AudioFiles
internal import CommandKit
internal import Glibc
package import JSONText
internal import PlayerControl

/// The loudness of a sound file, measured by reading all of it.
package struct LoudnessFacts {
  /// The integrated loudness in LUFS; nil if nothing was above the gate.
  private let integrated: Double?
  /// The peaks as factors of full scale.
  private let (samplePeak, truePeak): (Double, Double)

  private static let chunk = 8192
  /// The number of channels whose positions the meter knows.
  private static let channelLimit = 6

  /// Measures a file from its beginning; files with more than six channels are mixed to stereo.
  package init(_ reader: SoundFileReader) throws(SoundFileError) {
    if reader.channelCount > Self.channelLimit {
      try reader.setClient(ClientFormat(channelCount: 2))
    }
    let meter = try LoudnessMeter(channelCount: reader.clientChannelCount, rate: reader.rate)
    while case let samples = reader.read(frameCount: Self.chunk), !samples.isEmpty {
      meter.measure(samples.span)
    }
    integrated = meter.integrated
    (samplePeak, truePeak) = (meter.samplePeak, meter.truePeak)
  }

  /// The line for the user.
  package var words: String {
    let loudness = integrated.map { "\(Self.tenths($0)) LUFS" } ?? "silence"
    guard samplePeak > 0 else { return loudness }
    return "\(loudness), peak \(Self.tenths(Self.decibels(samplePeak))) dB,"
      + " true peak \(Self.tenths(Self.decibels(truePeak))) dB"
  }

  /// The member of the JSON document.
  package var json: JSONValue {
    let peak = { (factor: Double) -> JSONValue in
      factor > 0 ? .decimal(Self.tenths(Self.decibels(factor))) : .null
    }
    return .object([
      ("integrated", integrated.map { .decimal(Self.tenths($0)) } ?? .null),
      ("peak", peak(samplePeak)), ("truePeak", peak(truePeak)),
    ])
  }

  private static func decibels(_ factor: Double) -> Double { 20 * log10(factor) }

  /// The number with one decimal.
  private static func tenths(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
  }
}
