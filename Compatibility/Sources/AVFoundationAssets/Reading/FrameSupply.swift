// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioToolboxFiles
internal import CoreAudio
internal import CoreAudioHandles
internal import CoreMedia
internal import MusicalTime

/// Decoded frames of a file, in the format that a program asks for.
final class FrameSupply: SampleSupply {
  private let reading: ExtFileReading
  private let form: PCMForm
  private let description: CMFormatDescription
  /// Frames of the program that are left; `Int64.max` to read to the end of the file.
  private var rest: Int64
  /// The number of the next frame at the program's rate.
  private var frame: Int64
  /// Frames of the file that are missing; nil if their number is not exact.
  private var missing: Int64?

  /// Frames of a buffer, as on Apple's systems.
  private static let frameCount = 8192
  /// The most bytes of a buffer.
  private static let byteLimit = 1 << 22

  /// Opens a file at a frame.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - settings: The format of the frames.
  ///   - range: The frames of the file.
  ///   - length: All frames of the file.
  /// - Throws: The error of the file, or of a rate that cannot be converted.
  init(
    path: String, _ settings: OutputSettings, _ range: Range<Int64>, of length: Int64
  ) throws(AVError) {
    do {
      let reader = try SoundFileReader(path: path)
      reading = ExtFileReading(reader)
      form = settings.form
      description = settings.description
      try reading.setForm(form, quality: settings.quality)
      if let labels = settings.labels { reading.setLayout(labels) }
      let rates = (Int(reader.rate.hertz), Int(form.rate.hertz))
      frame = Self.scaled(range.lowerBound, rates)
      rest = Self.scaled(range.upperBound, rates) - frame
      if range.upperBound == length { rest = .max }
      if range.isEmpty { rest = 0 }
      if rates.0 == rates.1, !reader.isFrameCountEstimated, reader.frameCount != .max {
        missing = Int64(range.count)
      }
      if range.lowerBound > 0, !range.isEmpty { try reading.seek(to: range.lowerBound) }
    } catch {
      throw AVError.of(error)
    }
  }

  /// The nearest frame at another rate.
  private static func scaled(_ frame: Int64, _ rates: (from: Int, to: Int)) -> Int64 {
    let doubled = Int128(frame) * Int128(rates.to) * 2 + Int128(rates.from)
    return Int64(clamping: doubled / (2 * Int128(rates.from)))
  }

  func next() throws(AVError) -> CMSampleBuffer? {
    let step = form.bytesPerFrame * form.bufferCount
    let most = max(1, min(Self.frameCount, Self.byteLimit / step))
    let wanted = Int(min(rest, Int64(most)))
    guard wanted > 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: wanted * step)
    let count: Int
    do {
      count = try read(wanted, &bytes)
    } catch {
      throw AVError.of(error)
    }
    missing = missing.map { $0 - Int64(count) }
    // A file that ends before the end that it states was cut off meanwhile.
    if count < wanted, let missing, missing > 0 {
      throw AVError(.decodeFailed, "\(reading.reader.path): the file ends too early")
    }
    guard count > 0, let data = CMBlockBuffer(bytes) else { return nil }
    let time = CMTime(value: frame, timescale: CMTimeScale(form.rate.hertz))
    frame += Int64(count)
    if rest != .max { rest -= Int64(count) }
    if count < wanted { rest = 0 }
    return CMSampleBuffer(data, description, count: count, at: time)
  }

  /// Reads frames into memory, and drops the bytes behind them.
  private func read(_ wanted: Int, _ bytes: inout [UInt8]) throws(StatusError) -> Int {
    let list = unsafe AudioBufferList.allocate(maximumBuffers: form.bufferCount)
    defer { unsafe free(list.unsafeMutablePointer) }
    let size = wanted * form.bytesPerFrame
    let result = unsafe bytes.withUnsafeMutableBytes { memory -> Result<Int, StatusError> in
      for index in unsafe list.indices {
        unsafe list[index] = AudioBuffer(
          mNumberChannels: UInt32(form.isInterleaved ? form.channelCount : 1),
          mDataByteSize: UInt32(size), mData: memory.baseAddress.map { unsafe $0 + index * size })
      }
      return Result { () throws(StatusError) in
        try unsafe reading.read(wanted, list.unsafeMutablePointer)
      }
    }
    let count = try result.get()
    if count < wanted { drop(from: &bytes, size, count * form.bytesPerFrame) }
    return count
  }

  /// Moves the beginnings of the channels' buffers together.
  private func drop(from bytes: inout [UInt8], _ size: Int, _ kept: Int) {
    bytes = (0..<form.bufferCount).flatMap { bytes[$0 * size..<$0 * size + kept] }
  }
}
