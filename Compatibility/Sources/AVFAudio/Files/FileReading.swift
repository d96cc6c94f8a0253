// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioToolboxFiles
internal import CoreAudio
internal import Foundation
internal import MusicalTime

/// A sound file that is read into buffers.
final class FileReading {
  let fileFormat: AVAudioFormat
  let format: AVAudioFormat
  private(set) var position: Int64 = 0
  private let reader: SoundFileReader
  /// The frame that the reader gives next.
  private var readerPosition: Int64 = 0
  private var knownLength: Int64?

  private static let chunk = 1 << 16

  init(_ url: URL, _ common: AVAudioCommonFormat, interleaved: Bool) throws {
    let call = "init(forReading:)"
    guard common != .otherFormat else {
      throw AVFAudioError.error(kAudio_ParamError, call: call)
    }
    let path = try Self.path(url, call)
    do {
      reader = try SoundFileReader(path: path)
    } catch {
      throw AVFAudioError.error(error, call: call)
    }
    let layout = Self.layout(reader)
    fileFormat = AVAudioFormat(FileDescription.of(reader, path: path), layout: layout)
    format = AVAudioFormat(
      AudioStreamBasicDescription(
        common, sampleRate: Double(reader.rate.hertz), channels: UInt32(reader.channelCount),
        interleaved: interleaved), layout: layout)
    if reader.frameCount != .max, !reader.isFrameCountEstimated {
      knownLength = Int64(reader.frameCount)
    }
  }

  static func path(_ url: URL, _ call: String) throws -> String {
    guard url.isFileURL else {
      throw AVFAudioError.error(
        kAudioFileUnspecifiedError, call: call, reason: "\(url): not the address of a file")
    }
    return url.path
  }

  /// The order of the channels; nil for one or two.
  private static func layout(_ reader: SoundFileReader) -> AVAudioChannelLayout? {
    guard reader.channelCount > 2 else { return nil }
    let known = AVAudioChannelLayout(data: Data(ChannelLabels(reader.layout).bytes))
    if let known, Int(known.channelCount) == reader.channelCount { return known }
    return AVAudioChannelLayout(
      layoutTag: kAudioChannelLayoutTag_Unknown | UInt32(reader.channelCount))
  }

  /// Frames of the file.
  var length: Int64 {
    if let knownLength { return knownLength }
    let length = reader.packets()?.table.frameCount ?? counted()
    knownLength = length
    return length
  }

  private func counted() -> Int64 {
    guard reader.locate(to: SampleTime(frames: 0)) else { return readerPosition }
    var count: Int64 = 0
    while true {
      let samples = reader.read(frameCount: Self.chunk)
      if samples.isEmpty { break }
      count += Int64(samples.count / reader.channelCount)
    }
    readerPosition = count
    return count
  }

  /// Moves to a frame; to the nearest end if the file does not have it.
  func move(to frame: Int64) { position = min(max(0, frame), length) }

  /// Reads up to a number of frames, fewer at the end.
  func read(into buffer: AVAudioPCMBuffer, _ count: Int) {
    switch format.commonFormat {
    case .pcmFormatInt16: read(Int16.self, into: buffer, count)
    case .pcmFormatInt32: read(Int32.self, into: buffer, count)
    case .pcmFormatFloat64: read(Double.self, into: buffer, count)
    default: read(Float.self, into: buffer, count)
    }
  }

  private func read<Sample: AudioSample>(
    _ type: Sample.Type, into buffer: AVAudioPCMBuffer, _ count: Int
  ) {
    buffer.frameLength = 0
    guard locate() else { return }
    var done = 0
    while done < count {
      let samples = reader.read(type, frameCount: min(Self.chunk, count - done))
      if samples.isEmpty { break }
      buffer.store(samples, at: done)
      done += samples.count / reader.channelCount
    }
    buffer.frameLength = AVAudioFrameCount(done)
    position += Int64(done)
    readerPosition = position
  }

  /// Moves the reader to the position; false at the end.
  private func locate() -> Bool {
    guard readerPosition != position else { return true }
    guard knownLength.map({ position < $0 }) ?? true,
      reader.locate(to: SampleTime(frames: position))
    else { return false }
    readerPosition = position
    return true
  }
}
