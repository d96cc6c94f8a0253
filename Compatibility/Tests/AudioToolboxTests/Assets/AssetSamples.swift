// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import AudioFiles
import Foundation
import MusicalTime
import TestSupport
import Testing

/// Helpers for the tests of assets.
enum AssetSamples {
  /// Settings of PCM.
  static func pcm(bits: Int, isFloat: Bool = false, isPlanar: Bool = false) -> [String: Any] {
    [
      AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMBitDepthKey: bits,
      AVLinearPCMIsFloatKey: isFloat, AVLinearPCMIsNonInterleaved: isPlanar,
      AVLinearPCMIsBigEndianKey: false,
    ]
  }

  /// A reader with one output that has started.
  static func reading(
    _ path: String, _ settings: [String: Any]?, _ range: CMTimeRange? = nil
  ) throws -> (AVAssetReader, AVAssetReaderTrackOutput) {
    let asset = AVURLAsset(url: URL(fileURLWithPath: path))
    let reader = try AVAssetReader(asset: asset)
    let track = try #require(asset.tracks(withMediaType: .audio).first)
    let output = AVAssetReaderTrackOutput(track: track, outputSettings: settings)
    try #require(reader.canAdd(output))
    reader.add(output)
    if let range { reader.timeRange = range }
    try #require(reader.startReading(), "\(String(describing: reader.error))")
    return (reader, output)
  }

  /// All buffers of an output.
  static func buffers(_ output: AVAssetReaderOutput) -> [CMSampleBuffer] {
    var all: [CMSampleBuffer] = []
    while let buffer = output.copyNextSampleBuffer() { all.append(buffer) }
    return all
  }

  /// All buffers of a file.
  static func buffers(
    of path: String, _ settings: [String: Any]?, _ range: CMTimeRange? = nil
  ) throws -> [CMSampleBuffer] {
    let (reader, output) = try reading(path, settings, range)
    // A program keeps its reader, which its outputs do not.
    return withExtendedLifetime(reader) { buffers(output) }
  }

  /// The bytes of buffers, one after another.
  static func bytes(_ buffers: [CMSampleBuffer]) throws -> [UInt8] {
    try buffers.flatMap { buffer in
      Array(try #require(CMSampleBufferGetDataBuffer(buffer)).dataBytes())
    }
  }

  /// Interleaved samples of 16 bits.
  static func integers(_ buffers: [CMSampleBuffer]) throws -> [Int16] {
    try bytes(buffers).withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
  }

  /// Interleaved samples of planar single precision.
  static func floats(_ buffers: [CMSampleBuffer]) throws -> [Float] {
    try buffers.flatMap { buffer in
      try buffer.withAudioBufferList { list, _ in
        let channels = list.map { UnsafeBufferPointer<Float>($0) }
        return (0..<buffer.numSamples).flatMap { frame in channels.map { $0[frame] } }
      }
    }
  }

  /// The samples that `SoundFileReader` reads.
  static func own<Sample: AudioSample>(
    _ type: Sample.Type, _ path: String, _ frames: Range<Int>? = nil
  ) throws -> [Sample] {
    let reader = try SoundFileReader(path: path)
    if let frames { _ = reader.locate(to: SampleTime(frames: Int64(frames.lowerBound))) }
    return reader.read(type, frameCount: frames?.count ?? 1 << 22)
  }

  /// A range of frames at 44,100 Hz.
  static func range(_ frames: Range<Int>) -> CMTimeRange {
    CMTimeRange(
      start: CMTime(value: CMTimeValue(frames.lowerBound), timescale: 44_100),
      duration: CMTime(value: CMTimeValue(frames.count), timescale: 44_100))
  }

  /// The code of an error of assets.
  static func code(_ error: (any Error)?) -> AVError.Code? { (error as? AVError)?.code }

  /// Writes a tone of a length.
  static func tone(
    _ scratch: ScratchFolder, _ name: String, seconds: Double,
    _ encoding: SoundFileFormat.Encoding? = nil
  ) throws -> String {
    let path = scratch.path(name)
    var options = SoundFileWriter.Options()
    options.metadata.tags = [.title: "A Tone", .artist: "A Player"]
    let writer = try SoundFileWriter(
      path: path, format: SoundFileFormat(path: path, encoding: encoding), channelCount: 2,
      rate: .hertz44100, options: options)
    let samples = (0..<Int(seconds * 44_100)).flatMap { frame -> [Int16] in
      let value = Int16(9000 * sin(Double(frame) * 0.05))
      return [value, Int16(truncatingIfNeeded: frame * 31 % 6001 - 3000)]
    }
    try writer.write(samples.span)
    try writer.finish()
    return path
  }
}
