// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioToolboxFiles
internal import CoreAudio
internal import Foundation
internal import MusicalTime

/// The format in a sound file.
enum FileDescription {
  private static let chunk = 1 << 16
  /// Bytes that are read at most, to find the layout of the samples.
  private static let patience = 1 << 22

  /// Describes the format in a file.
  static func of(_ reader: SoundFileReader, path: String) -> AudioStreamBasicDescription {
    let hertz = Int(reader.rate.hertz)
    if let layer = reader.formats.first, layer.codec != .linearPCM {
      return AudioStreamBasicDescription(layer, bits: reader.format?.encoding.integerBits)
    }
    if let layout = layout(path), let rate = SampleRate(hertz: hertz) {
      var form = PCMForm(.float32, rate: rate, channelCount: reader.channelCount)
      form.layout = layout
      return form.description
    }
    let usual = reader.format?.description(hertz: hertz, channelCount: reader.channelCount)
    return usual
      ?? AudioStreamBasicDescription(
        .pcmFormatInt16, sampleRate: Double(hertz), channels: UInt32(reader.channelCount),
        interleaved: true)
  }

  /// The layout of the samples of a file; nil if its head does not state it.
  private static func layout(_ path: String) -> PCMLayout? {
    guard let file = FileHandle(forReadingAtPath: path) else { return nil }
    var stream = SoundStream()
    stream.keepsBytes = false
    var read = 0
    while stream.properties == nil, read < patience {
      let bytes = file.readData(ofLength: chunk)
      if bytes.isEmpty { break }
      read += bytes.count
      stream.append(bytes)
    }
    return stream.properties?.samples
  }
}
